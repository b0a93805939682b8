import { useEffect, useRef, useState } from 'react';
import {
  customerDetailsSchema,
  parseForm,
  type CustomerDetails,
  type FieldErrors,
} from '../../domain/checkout/forms.ts';
import type { User } from '../../domain/session.ts';
import { fetchCityOfPin } from '../../services/checkout/city-of-pin.ts';
import { readCheckoutDraft, saveCheckoutDraft } from '../../services/storage/stored-details.ts';
import { loadKnownDetails } from './known-details.ts';

export const customerFields = [
  'name',
  'email',
  'phone',
  'address',
  'postalCode',
  'city',
  'notes',
  'giftNote',
  'gstin',
] as const;
export type CustomerField = (typeof customerFields)[number];

const blank: CustomerDetails = {
  name: '',
  email: '',
  phone: '',
  address: '',
  city: '',
  postalCode: '',
  notes: '',
  giftNote: '',
  gstin: '',
};

/** Fills empty fields but `focused`, into which the customer is about to type; what was typed stays. */
export function fillEmpty(
  values: CustomerDetails,
  known: Partial<CustomerDetails>,
  focused = '',
): CustomerDetails {
  const filled = { ...values };
  for (const field of customerFields)
    if (filled[field] === '' && field !== focused) filled[field] = known[field] ?? '';
  return filled;
}

function startValues(user: User): CustomerDetails {
  return fillEmpty(fillEmpty(blank, readCheckoutDraft(user.id)), {
    name: user.name,
    email: user.email,
  });
}

export interface CustomerForm {
  values: CustomerDetails;
  errors: FieldErrors<CustomerDetails>;
  /** The city that the PIN code filled in; '' for none. */
  offeredCity: string;
  change: (field: CustomerField, value: string) => void;
  /** The trimmed values, or null after showing each field's message. */
  validate: () => { details: CustomerDetails | null; errors: FieldErrors<CustomerDetails> };
}

/** The details form's state: kept in the tab, filled from profile and last order once `active`. */
export function useCustomerForm(user: User, active: boolean): CustomerForm {
  const [values, setValues] = useState(() => startValues(user));
  const [errors, setErrors] = useState<FieldErrors<CustomerDetails>>({});
  const { id } = user;

  useEffect(() => {
    if (!active) return;
    let current = true;
    void loadKnownDetails(id).then((known) => {
      if (!current) return;
      const focused = document.activeElement?.getAttribute('name') ?? '';
      setValues((typed) => fillEmpty(typed, known, focused));
    });
    return () => {
      current = false;
    };
  }, [active, id]);

  const [offeredCity, setOfferedCity] = useState('');
  const typedPin = useRef('');
  /** Offers the town of a PIN code for an empty city, or in the place of the one offered before. */
  const offerCity = async (pin: string): Promise<void> => {
    typedPin.current = pin;
    const isOpen = (city: string): boolean => city === '' || city === offeredCity;
    if (!isOpen(values.city)) return;
    const city = await fetchCityOfPin(pin);
    const isLate = typedPin.current !== pin;
    if (city === null || isLate || document.activeElement?.getAttribute('name') === 'city') return;
    setOfferedCity(city);
    setErrors(({ city: _cleared, ...others }) => others);
    setValues((typed) => {
      if (!isOpen(typed.city)) return typed;
      const filled = { ...typed, city };
      saveCheckoutDraft(id, filled);
      return filled;
    });
  };

  const change = (field: CustomerField, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    saveCheckoutDraft(id, next);
    setErrors(({ [field]: _cleared, ...others }) => others);
    if (field === 'postalCode') void offerCity(value);
  };
  const validate = () => {
    const result = parseForm(customerDetailsSchema, values);
    const found = result.ok ? {} : result.errors;
    setErrors(found);
    return { details: result.ok ? result.values : null, errors: found };
  };
  return { values, errors, offeredCity, change, validate };
}
