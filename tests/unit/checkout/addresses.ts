/** An address of exactly so many characters, within the limits of its parts. */
export function addressOf(length: number): string {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.com`;
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
}

/** What a customer types into the form of an order. */
export const typedDetails = {
  name: 'Anjali Menon',
  email: 'anjali@example.com',
  phone: '9847012345',
  address: '14 Temple Road, West',
  city: 'Thrissur',
  postalCode: '680001',
};

/** Texts that no form may take for an e-mail address. */
export const invalidAddresses = [
  '',
  'asha',
  'asha@',
  '@example.com',
  'a b@example.com',
  'asha@example',
  'asha@@example.com',
  'asha@ex ample.com',
];
