import { useEffect, useState } from 'react';
import type { ProfileForm } from '#domain/checkout/forms.ts';
import type { User } from '#domain/account/session.ts';
import type { Profile } from '#services/auth/profile.ts';
import { showToast } from '#stores/toasts.ts';
import { reasonOf } from '#services/connection.ts';

function reportError(title: string, error: unknown): void {
  console.warn(title, error);
  showToast(title, { description: reasonOf(error), tone: 'destructive', durationMs: 6_000 });
}

export interface ProfileState {
  /** Null while loading and after a failure. */
  profile: Profile | null;
  loading: boolean;
  /** Saves; true on success. A failure shows a toast. */
  save: (form: ProfileForm) => Promise<boolean>;
}

/** The signed-in customer's profile. A failure shows a toast (spec section 8). */
export function useProfile(user: User): ProfileState {
  const [profile, setProfile] = useState<Profile | null>(null);
  const [loading, setLoading] = useState(true);
  useEffect(() => {
    let current = true;
    // Loads supabase-js, which the page needs only now.
    import('#services/auth/profile.ts')
      .then(({ fetchProfile }) => fetchProfile(user))
      .then((read) => {
        if (current) setProfile(read);
      })
      .catch((error: unknown) => {
        if (current) reportError('Error fetching profile', error);
      })
      .finally(() => {
        if (current) setLoading(false);
      });
    return () => {
      current = false;
    };
  }, [user]);

  const save = async (form: ProfileForm) => {
    try {
      const { saveProfile } = await import('#services/auth/profile.ts');
      setProfile(await saveProfile(user, form));
      showToast('Profile updated successfully', { tone: 'success' });
      return true;
    } catch (error) {
      reportError('Error updating profile', error);
      return false;
    }
  };
  return { profile, loading, save };
}
