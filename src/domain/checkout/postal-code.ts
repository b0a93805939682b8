/*
 * PIN codes of India Post and the state each is delivered in. The first two digits name the postal circle, three the
 * sorting district; where a district serves two states, the longer prefix decides. Source: India Post's All India
 * Pincode Directory (data.gov.in), its prefixes as listed by zone in github.com/Shopify/worldwide. A few delivery
 * offices serve villages on both sides of a border: the state of the office is given. So Mahe is 673310, and 673311,
 * New Mahe next door, is Kerala. State codes: CBIC's list for GSTIN; Dadra and Nagar Haveli and Daman and Diu are one
 * union territory, 26, since 2020.
 */

/** A state or union territory, with its code in GST numbers and returns. */
export interface State {
  name: string;
  gstCode: string;
}

const prefixesByState: readonly [gstCode: string, name: string, prefixes: string][] = [
  ['01', 'Jammu and Kashmir', '18 19'],
  ['02', 'Himachal Pradesh', '17'],
  ['03', 'Punjab', '14 15 160055 160059 160062 16007 160103 160104'],
  ['04', 'Chandigarh', '160'],
  [
    '05',
    'Uttarakhand',
    '24471 24472 246 24765 24766 24767 248 249 262308 262309 26231 262401 262402 262405 2625 263',
  ],
  ['06', 'Haryana', '12 13'],
  ['07', 'Delhi', '11'],
  ['08', 'Rajasthan', '30 31 32 33 34'],
  ['09', 'Uttar Pradesh', '20 21 22 23 24 2467 247669 25 26 27 28'],
  ['10', 'Bihar', '80 81 814131 821 823 824 84 85'],
  ['11', 'Sikkim', '737'],
  ['12', 'Arunachal Pradesh', '790 791 792'],
  ['13', 'Nagaland', '797 798'],
  ['14', 'Manipur', '795'],
  ['15', 'Mizoram', '796'],
  ['16', 'Tripura', '799'],
  ['17', 'Meghalaya', '793 794'],
  ['18', 'Assam', '78'],
  ['19', 'West Bengal', '70 71 72 73 74'],
  ['20', 'Jharkhand', '813208 814 815 816 822 825 826 827 828 829 83'],
  ['21', 'Odisha', '75 76 77'],
  ['22', 'Chhattisgarh', '49'],
  ['23', 'Madhya Pradesh', '45 46 47 48'],
  ['24', 'Gujarat', '36 37 38 39'],
  ['26', 'Dadra and Nagar Haveli and Daman and Diu', '36252 36254 36257 39621 39622 396230 396240'],
  ['27', 'Maharashtra', '40 41 42 43 44'],
  ['29', 'Karnataka', '56 57 58 59'],
  ['30', 'Goa', '403'],
  ['31', 'Lakshadweep', '68255'],
  ['32', 'Kerala', '67 68 69'],
  ['33', 'Tamil Nadu', '60 605007 61 62 63 64'],
  [
    '34',
    'Puducherry',
    '60500 60501 605102 605106 607402 609601 609602 609603 609605 609606 609607 609609 533464 673310',
  ],
  ['35', 'Andaman and Nicobar Islands', '744'],
  ['36', 'Telangana', '50'],
  ['37', 'Andhra Pradesh', '51 52 53'],
  ['38', 'Ladakh', '194'],
];

const stateByPrefix = new Map(
  prefixesByState.flatMap(([gstCode, name, prefixes]) =>
    prefixes.split(' ').map((prefix): [string, State] => [prefix, { name, gstCode }]),
  ),
);

/** Every state and union territory, in the order of the GST codes. */
export const states: readonly State[] = prefixesByState.map(([gstCode, name]) => ({
  name,
  gstCode,
}));

/** The PIN code in a text as people write it ('682 016'), or null: six digits, the first not 0. */
export function readPin(text: string): string | null {
  const digits = text.replace(/\s/gu, '');
  return /^[1-9]\d{5}$/u.test(digits) ? digits : null;
}

/** Why a text can be no PIN code; null for one that may be, also of an army post or in a form that the shop does not know. */
export const pinRefusal = (text: string): string | null =>
  /^\s*0[\d\s]*$/u.test(text) ? 'No PIN code begins with 0.' : null;

/** A PIN code as it is printed: six digits in a row, or the text as it was typed. */
export const printedPin = (text: string): string => readPin(text) ?? text.trim();

/** Where a PIN code is delivered; null for no PIN code, for army post (9…) and for prefixes no state has. */
export function stateOfPin(pin: string): State | null {
  const digits = readPin(pin) ?? '';
  for (let length = digits.length; length > 1; length -= 1) {
    const state = stateByPrefix.get(digits.slice(0, length));
    if (state !== undefined) return state;
  }
  return null;
}
