import { useRef, useState } from 'react';
import type { FieldErrors, ProfileForm } from '../../domain/checkout/forms.ts';
import type { Profile } from '../../services/auth/profile.ts';
import { showToast } from '../../stores/toasts.ts';
import { BusyButton } from '../shared/BusyButton.tsx';
import { Field } from '../shared/Field.tsx';
import { focusFirstError } from '../shared/focus-field.ts';

const fields = ['full_name', 'phone', 'address', 'city', 'postal_code'] as const;
type Values = Record<(typeof fields)[number], string>;

function valuesOf(profile: Profile): Values {
  return {
    full_name: profile.fullName ?? '',
    phone: profile.phone ?? '',
    address: profile.address ?? '',
    city: profile.city ?? '',
    postal_code: profile.postalCode ?? '',
  };
}

interface ProfileEditorProps {
  profile: Profile;
  onSave: (form: ProfileForm) => Promise<boolean>;
  /** Called after saving or cancelling. */
  onClose: () => void;
}

/** The profile form (spec section 5). A failed save keeps what was typed. */
export function ProfileEditor({ profile, onSave, onClose }: ProfileEditorProps) {
  const [values, setValues] = useState(() => valuesOf(profile));
  const [errors, setErrors] = useState<FieldErrors<ProfileForm>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async () => {
    // Loads the schema on demand: most visits only read.
    const { parseForm, profileFormSchema } = await import('../../domain/checkout/forms.ts');
    const result = parseForm(profileFormSchema, values);
    if (!result.ok) {
      setErrors(result.errors);
      showToast('Validation Error', {
        description: 'Please correct the highlighted fields.',
        tone: 'destructive',
      });
      focusFirstError(form.current, fields, result.errors);
      return;
    }
    if (await onSave(result.values)) onClose();
  };
  const bind = (name: (typeof fields)[number]) => ({
    name,
    value: values[name],
    error: errors[name],
    onValue: (value: string) => {
      setValues((typed) => ({ ...typed, [name]: value }));
      setErrors(({ [name]: _cleared, ...others }) => others);
    },
  });

  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5 pt-6 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        submit()
          .catch((error: unknown) => {
            console.warn('The profile form could not be sent', error);
            showToast('Error updating profile', {
              description: 'Please check your connection and try again.',
              tone: 'destructive',
            });
          })
          .finally(() => {
            setBusy(false);
          });
      }}
    >
      <Field {...bind('full_name')} label="Full Name" autoComplete="name" required autoFocus />
      <Field {...bind('phone')} label="Phone" type="tel" autoComplete="tel" />
      <Field
        {...bind('address')}
        label="Address"
        rows={2}
        autoComplete="street-address"
        className="sm:col-span-2"
      />
      <Field {...bind('city')} label="City" autoComplete="address-level2" />
      <Field {...bind('postal_code')} label="Postal Code" autoComplete="postal-code" />
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <BusyButton busy={busy} busyText="Saving…" className="btn btn-primary">
          Save Changes
        </BusyButton>
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
