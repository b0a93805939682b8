import type { ProfileForm } from '#domain/checkout/forms.ts';
import type { Profile } from '#services/auth/profile.ts';
import { reasonOf } from '#services/connection.ts';
import { showToast } from '#stores/toasts.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { FormRefusal } from '#islands/shared/FormRefusal.tsx';
import { useForm } from '#islands/shared/use-form.ts';

interface ProfileEditorProps {
  profile: Profile;
  onSave: (form: ProfileForm) => Promise<boolean>;
  /** Called after saving or cancelling. */
  onClose: () => void;
}

/** The profile form (spec section 5). A failed save loses nothing that was typed. */
export function ProfileEditor({ profile, onSave, onClose }: ProfileEditorProps) {
  const { values, ref, bind, accept, ask, isRefused, busy, submit } = useForm(() => ({
    full_name: profile.fullName ?? '',
    phone: profile.phone ?? '',
    address: profile.address ?? '',
    city: profile.city ?? '',
    postal_code: profile.postalCode ?? '',
  }));
  const send = async () => {
    // Loads the schema on demand: most visits only read.
    const [{ parseForm, profileFormSchema }, { addressQuestions }, { askAboutCity }] =
      await Promise.all([
        import('#domain/checkout/forms.ts'),
        import('#domain/checkout/address-hints.ts'),
        import('#services/checkout/city-of-pin.ts'),
      ]);
    const accepted = accept(parseForm(profileFormSchema, values));
    if (accepted === null) return;
    const { phone, postalCode } = addressQuestions({
      phone: accepted.phone,
      postalCode: accepted.postal_code,
    });
    const city = await askAboutCity(
      { city: accepted.city ?? '', postalCode: accepted.postal_code ?? '' },
      { city: profile.city ?? '', postalCode: profile.postalCode ?? '' },
    );
    if (ask({ phone, postal_code: postalCode, city }) === null) return;
    if (await onSave(accepted)) onClose();
  };
  return (
    <form
      ref={ref}
      noValidate
      className="grid gap-5 pt-6 sm:grid-cols-2"
      onSubmit={(event) =>
        void submit(event, send, (error) => {
          console.warn('The profile form could not be sent', error);
          showToast('Error updating profile', {
            description: reasonOf(error),
            tone: 'destructive',
          });
        })
      }
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
        {isRefused ? <FormRefusal /> : null}
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
