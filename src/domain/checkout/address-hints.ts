import { readPin, stateOfPin } from './postal-code.ts';

/*
 * A hint about a value that the customer typed, '' for none. Hints refuse nothing: the form's schema accepts what the
 * specification accepts.
 */

/** Shown for a phone number that is no Indian mobile number, as soon as the form would accept it. */
export function phoneHint(text: string): string {
  const number = text.replace(/[\s().-]/gu, '');
  return number.length < 10 || /^(?:\+?91|0)?[6-9]\d{9}$/u.test(number)
    ? ''
    : 'The courier calls this number. Indian mobile numbers have ten digits.';
}

/** The state of a PIN code, or what is wrong with it. */
export function postalCodeHint(text: string): string {
  const state = stateOfPin(text);
  if (state !== null) return state.name;
  const pin = readPin(text);
  if (pin === null) return text.trim().length < 4 ? '' : 'PIN codes have six digits.';
  return pin.startsWith('9')
    ? 'This PIN code belongs to the army’s post. Please ask us before you order.'
    : 'This PIN code does not exist. Please check it.';
}
