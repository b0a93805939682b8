import { taxStanding } from '#domain/tax-standing.ts';
import { states, type State } from './postal-code.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The last character of a GSTIN, from the 14 before it: weights 1 and 2 by turns, in base 36 (the Luhn mod N method). */
function checkCharacter(first14: string): string | undefined {
  const sum = Array.from(first14).reduce((total, character, index) => {
    const product = digits.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return digits[(36 - (sum % 36)) % 36];
}

/** '32aabcu9603r1zw ' → '32AABCU9603R1ZW', as people type it: without spaces, in capitals. */
export const tidyGstin = (text: string): string => text.replaceAll(/\s/gu, '').toUpperCase();

/** Whether a text is a GSTIN: state code, PAN, entity, Z, and the check character that belongs to them. */
export const isGstin = (text: string): boolean =>
  /^[0-3]\d[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/u.test(text) &&
  checkCharacter(text.slice(0, 14)) === text[14];

/**
 * The names of the state that a GSTIN is registered in and of the one that goods are supplied in, when they differ. Null when they
 * agree, when one is not known, and from a seller who issues no tax invoice.
 */
export function otherStateOfGstin(
  gstin: string,
  supply: State | null,
): { registered: string; code: string; supply: string } | null {
  const code = gstin.slice(0, 2);
  if (code === '' || supply === null || supply.gstCode === code || !taxStanding().collectsTax)
    return null;
  const registered = states.find(({ gstCode }) => gstCode === code)?.name ?? 'another state';
  return { registered, code, supply: supply.name };
}
