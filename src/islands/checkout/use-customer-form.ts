import { useEffect, useRef, useState } from 'react';
import { addressQuestions } from '#domain/checkout/address-hints.ts';
import { customerDetailsSchema, type CustomerDetails } from '#domain/checkout/forms.ts';
import type { User } from '#domain/account/session.ts';
import { askAboutCity, fetchCityOfPin } from '#services/checkout/city-of-pin.ts';
import { readCheckoutDraft, saveCheckoutDraft } from '#services/storage/stored-details.ts';
import { useForm, type Form } from '#islands/shared/use-form.ts';
import { loadKnownDetails } from './known-details.ts';

const blank: CustomerDetails = {
  name: '',
  email: '',
  phone: '',
  address: '',
  city: '',
  postalCode: '',
  notes: '',
  giftNote: '',
  recipientName: '',
  recipientPhone: '',
  gstin: '',
};

/** Fills empty fields but `focused`, into which the customer is about to type; what was typed stays. */
export function fillEmpty(
  values: CustomerDetails,
  known: Partial<CustomerDetails>,
  focused = '',
): CustomerDetails {
  const filled = { ...values };
  for (const field of Object.keys(blank) as (keyof CustomerDetails)[])
    if (filled[field] === '' && field !== focused) filled[field] = known[field] ?? '';
  return filled;
}

function startValues(user: User): CustomerDetails {
  return fillEmpty(fillEmpty(blank, readCheckoutDraft(user.id)), { email: user.email });
}

/** What identifies where an order goes and who is called about it. */
const addressFields = ['name', 'email', 'phone', 'address', 'city', 'postalCode'] as const;

/** Whether an order can go to the known details as they are: the form would refuse nothing, and ask nothing. */
export function isKnownAddress(values: CustomerDetails, known: Partial<CustomerDetails>): boolean {
  return (
    addressFields.every((field) => values[field] !== '' && values[field] === known[field]) &&
    customerDetailsSchema.safeParse({ ...blank, ...known }).success &&
    Object.keys(addressQuestions({ ...values, gstin: null })).length === 0
  );
}

export interface CustomerForm extends Form<CustomerDetails> {
  /** The details are those of the last paid order or the profile, and the customer did not touch them: one line shows them. */
  isFolded: boolean;
  unfold: () => void;
  /** The city that the PIN code filled in; '' for none. */
  offeredCity: string;
  /** The question about a city that was entered with another PIN code; undefined when there is none. */
  askAboutCity: (details: CustomerDetails) => Promise<string | undefined>;
}

/** The details form's state: stored in the tab, filled from profile and last order once `active`. */
export function useCustomerForm(user: User, active: boolean): CustomerForm {
  const form = useForm(() => startValues(user));
  const { values, update } = form;
  const { id, name } = user;
  const [known, setKnown] = useState<Partial<CustomerDetails>>({});
  const [isTouched, setTouched] = useState(false);
  const [isFilled, setFilled] = useState(false);

  /** The city with the PIN code that it was saved, filled in or typed with. */
  const entered = useRef({ city: values.city, postalCode: values.postalCode });
  const isCityTyped = useRef(false);

  useEffect(() => {
    if (!active) return;
    let current = true;
    void loadKnownDetails(id).then((details) => {
      if (!current) return;
      const focused = document.activeElement?.getAttribute('name') ?? '';
      setKnown(details);
      setFilled(true);
      // The name of the account is older than that of an order, and all there is when the details cannot be read.
      update((typed) => {
        const filled = fillEmpty(fillEmpty(typed, details, focused), { name }, focused);
        const { city = '', postalCode = '' } = details;
        if (filled.city === city) entered.current = { city, postalCode };
        return filled;
      });
    });
    return () => {
      current = false;
    };
  }, [active, id, name, update]);

  const { ref } = form;
  useEffect(() => {
    // The focus waits for the known details, because they do not fill the focused field.
    if (!active || !isFilled || ref.current?.contains(document.activeElement) === true) return;
    const fields = ref.current?.querySelectorAll<HTMLInputElement>('.field-input[required]') ?? [];
    [...fields].find((field) => field.value === '')?.focus({ preventScroll: true });
  }, [active, isFilled, ref]);

  const [offeredCity, setOfferedCity] = useState('');
  const typedPin = useRef('');
  /** Offers the town of a PIN code for an empty city, or in the place of one that was offered or saved with another PIN code. */
  const offerCity = async (pin: string): Promise<void> => {
    typedPin.current = pin;
    const isOpen = (city: string): boolean =>
      city === '' ||
      city === offeredCity ||
      (!isCityTyped.current && city === entered.current.city);
    if (!isOpen(values.city)) return;
    const city = await fetchCityOfPin(pin);
    const isLate = typedPin.current !== pin;
    if (city === null || isLate || document.activeElement?.getAttribute('name') === 'city') return;
    setOfferedCity(city);
    update((typed) => {
      if (!isOpen(typed.city)) return typed;
      const filled = { ...typed, city };
      entered.current = { city, postalCode: pin };
      saveCheckoutDraft(id, filled);
      return filled;
    });
  };

  return {
    ...form,
    isFolded: !isTouched && isKnownAddress(values, known),
    unfold: () => {
      setTouched(true);
    },
    offeredCity,
    askAboutCity: (details) => askAboutCity(details, entered.current),
    bind: (name) => {
      const field = form.bind(name);
      return {
        ...field,
        onValue: (value) => {
          field.onValue(value);
          setTouched(true);
          saveCheckoutDraft(id, { ...values, [name]: value });
          if (name === 'city') {
            isCityTyped.current = value !== '';
            entered.current = { city: value, postalCode: values.postalCode };
          }
          if (name === 'postalCode') void offerCity(value);
        },
      };
    },
  };
}
