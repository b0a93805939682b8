/**
 * The ten digits of a phone number that can be called in India, as people write it ('+91 98470-12345', '0484 2345678'), or null. SQL
 * decides the same (`private.is_indian_phone`), and knows a customer by these digits (`private.phone_key`). Spaces are ASCII: what else
 * counts as one depends on the database's locale.
 */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\t-\r ().‐‑‒–—-]/gu, '');
  return /^(?:(?:\+|00)?91)?0?([1-9]\d{9})$/u.exec(number)?.[1] ?? null;
}

/**
 * What people type who have no number or give none: one digit alone, and the digits in their order. No network of India gives these out.
 * Everything else that has ten digits may be somebody's number: a mobile one begins with 6 to 9, a landline with its STD code.
 */
const filler = /^(?:(\d)\1{9,}|1234567890|0123456789)$/u;

/** Why a text can be no phone number of any country; null for one that may be. */
export function phoneRefusal(text: string): string | null {
  if (/\p{L}/u.test(text)) return 'A phone number has no letters.';
  if (!/\p{Nd}/u.test(text)) return 'A phone number has digits.';
  const national = text.replace(/\D/gu, '').replace(/^(?:00)?(?:91)?0?(?=\d{10}$)/u, '');
  return filler.test(national) ? 'This number cannot be called. Please check it.' : null;
}
