import { destinationRefusal } from './destination.ts';
import { otherStateOfGstin } from './gstin.ts';
import { phoneRefusal, readPhone } from './phone.ts';
import { pinRefusal, readPin, stateOfPin } from './postal-code.ts';

/*
 * What a form says about a PIN code, a phone number and a GSTIN that it takes (spec section 5) but that may not be usable in India. What can be
 * none at all, `phoneRefusal` and `pinRefusal` refuse in the form's schema. A hint refuses nothing. A question holds the form back once: the customer, or the admin, may know better.
 */

/** The details that a customer may be asked about, by their names in `orders.asked_about`. The admin sees a GSTIN by `gstinNote`. */
export const askableDetails = ['postal_code', 'phone'] as const;
export type AskableDetail = (typeof askableDetails)[number];

/** Why a parcel may not arrive at a PIN code; null for one that a state has. */
export function pinProblem(text: string): string | null {
  if (stateOfPin(text) !== null) return null;
  const pin = readPin(text);
  if (pin === null) return pinRefusal(text) ?? 'PIN codes have six digits.';
  return pin.startsWith('9')
    ? 'This PIN code belongs to the army’s post. Please ask us before you order.'
    : 'This PIN code does not exist. Please check it.';
}

const phoneProblem = (text: string): string | null =>
  phoneRefusal(text) ??
  (readPhone(text) === null ? 'Phone numbers in India have ten digits.' : null);

/** What is wrong with a phone number, once it is long enough for the form; '' for nothing. */
export function phoneHint(text: string): string {
  const problem = text.replace(/[\s()+.-]/gu, '').length < 10 ? null : phoneProblem(text);
  return problem === null ? '' : `The courier calls this number. ${problem}`;
}

/** The state of a PIN code, or what is wrong with it once it is long enough for the form. */
export function postalCodeHint(text: string): string {
  const state = stateOfPin(text);
  if (state !== null) return destinationRefusal(text) ?? state.name;
  return text.trim().length < 4 ? '' : (pinProblem(text) ?? '');
}

/** A city and the PIN code that it was entered with; both as they were typed. */
export interface EnteredPlace {
  city: string;
  postalCode: string;
}

/**
 * The question about a city that stayed while its PIN code was changed to one of another place; null when the two may agree.
 * @param town the town of the new PIN code, null where the directory has none: then the states are compared
 */
export function cityQuestion(
  now: EnteredPlace,
  entered: EnteredPlace,
  town: string | null,
): string | null {
  const city = now.city.trim();
  const [pin, before] = [readPin(now.postalCode), readPin(entered.postalCode)];
  if (city === '' || city !== entered.city.trim()) return null;
  if (pin === null || before === null || pin === before) return null;
  const state = stateOfPin(pin);
  const place = town ?? (state === stateOfPin(before) ? null : (state?.name ?? null));
  if (place === null || place.toLowerCase() === city.toLowerCase()) return null;
  return `${pin} is in ${place}. Send it to ${city} all the same?`;
}

interface AddressDetails {
  postalCode?: string | null;
  phone?: string | null;
  gstin?: string | null;
}

/** What an invoice means whose GSTIN is of another state than its PIN code; null when they agree. */
function gstinProblem(gstin: string, pin: string): string | null {
  const other = otherStateOfGstin(gstin, stateOfPin(pin));
  if (other === null) return null;
  return `This GSTIN is of ${other.registered}, but the parcel goes to ${other.supply}. The place of supply is where the goods are delivered, so the invoice has the GST of a sale to ${other.supply}, which you may not be able to claim.`;
}

/** The questions about an address. A detail that is blank, that the form has none of, or that it refuses, has no question. */
export function addressQuestions(details: AddressDetails): {
  postalCode?: string;
  phone?: string;
  gstin?: string;
} {
  const pin = details.postalCode?.trim() ?? '';
  const phone = details.phone?.trim() ?? '';
  const pinFault = pin === '' || pinRefusal(pin) !== null ? null : pinProblem(pin);
  const phoneFault = phone === '' || phoneRefusal(phone) !== null ? null : phoneProblem(phone);
  const gstinFault = gstinProblem(details.gstin ?? '', pin);
  return {
    ...(pinFault === null ? {} : { postalCode: `${pinFault} Send it to ${pin} all the same?` }),
    ...(phoneFault === null ? {} : { phone: `${phoneFault} Use ${phone} all the same?` }),
    ...(gstinFault === null ? {} : { gstin: `${gstinFault} Use it all the same?` }),
  };
}

/** The details among `asked` that a question is about. */
export function stillAsked(
  asked: readonly AskableDetail[],
  details: AddressDetails,
): AskableDetail[] {
  const { postalCode, phone } = addressQuestions(details);
  const questions: Record<AskableDetail, string | undefined> = { postal_code: postalCode, phone };
  return asked.filter((detail) => questions[detail] !== undefined);
}
