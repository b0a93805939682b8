/** The form of an HSN code. */
export const hsnForm = /^\d{4}(?:\d{2}){0,2}$/u;

/**
 * Whether a code of 4, 6 or 8 digits can exist: chapters 01 to 97 of the Customs Tariff, which has no 77, and 99 for services. Jewellery
 * has the headings 7101 to 7118, watches 9101 to 9114.
 */
export const hsnExists = (code: string): boolean =>
  !/^(?:00|77|98|71(?!0[1-9]|1[0-8])|91(?!0[1-9]|1[0-4]))/u.test(code);
