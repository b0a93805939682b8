import { useState } from 'react';
import type { ProfileState } from './use-profile.ts';
import { MyData } from './MyData.tsx';
import { ProfileEditor } from './ProfileEditor.tsx';

/** The Profile tab: what is stored, with 'Not set' for what is not, and the form to change it. */
export function ProfilePanel({ state }: { state: ProfileState }) {
  // Null until the profile is edited on this page: the focus stays where the customer put it.
  const [editing, setEditing] = useState<boolean | null>(null);
  const { profile, loading, save } = state;
  if (loading) return <PanelLoading text="Loading your profile" />;
  if (!profile)
    return (
      <p className="py-8 text-ink-700">
        Your profile cannot be shown right now. Please try again later.
      </p>
    );
  if (editing) {
    return (
      <ProfileEditor
        profile={profile}
        onSave={save}
        onClose={() => {
          setEditing(false);
        }}
      />
    );
  }
  const rows = [
    ['Full Name', profile.fullName],
    ['Email', profile.email],
    ['Phone', profile.phone],
    ['Address', profile.address],
    ['City', profile.city],
    ['Postal Code', profile.postalCode],
  ] as const;
  return (
    <div className="pt-6">
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {rows.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-ink-500">{label}</dt>
            <dd className={value ? 'break-words' : 'text-ink-500'}>
              {value?.trim() ? value : 'Not set'}
            </dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        className="btn btn-secondary mt-8"
        autoFocus={editing === false}
        onClick={() => {
          setEditing(true);
        }}
      >
        Edit Profile
      </button>
      <MyData />
    </div>
  );
}

export function PanelLoading({ text }: { text: string }) {
  return (
    <p className="loading-part flex items-center gap-3 py-8 text-ink-700" role="status">
      <span className="spinner text-accent-700" aria-hidden="true" /> {text}…
    </p>
  );
}
