import { readPhone } from '#domain/checkout/phone.ts';

/** LIKE patterns for the search text of orders: all of `all`, and one of `any` if given, must match. */
export interface OrderPatterns {
  all: string[];
  any: string[];
}

const maxLength = 100;
const maxWords = 8;

const contains = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
const endsWith = (text: string): string => contains(text).slice(0, -1);

/**
 * The admin's search text, as patterns. A number of up to six digits is an order's, or the end of a phone's; a longer one is
 * a phone's with or without spaces and India's +91 or 0. Everything else is words, all of which must be found
 * somewhere in number, name, e-mail, phone, payment or invoice.
 */
export function orderPatterns(query: string): OrderPatterns {
  const text = query.trim().slice(0, maxLength).toLowerCase();
  if (/^[#+]?[\d\s().-]+$/u.test(text)) {
    const digits = text.replaceAll(/\D/gu, '');
    if (digits.length > 6) return { all: [contains(readPhone(digits) ?? digits)], any: [] };
    if (digits !== '')
      return {
        all: [],
        any: [contains(`#${digits} `), ...(text.startsWith('#') ? [] : [endsWith(`${digits}$`)])],
      };
  }
  const words = text.split(/\s+/u).filter((word) => word !== '');
  return { all: words.slice(0, maxWords).map(contains), any: [] };
}
