/**
 * The ten digits of a phone number that can be called in India, as people write it ('+91 98470-12345', '0484 2345678'), or null. They
 * are the customer's key in SQL, too (`private.phone_key`).
 */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\s().\p{Pd}]/gu, '');
  return /^(?:\+?91)?0?([1-9]\d{9})$/u.exec(number)?.[1] ?? null;
}
