/** An address of exactly so many characters, within the limits of its parts. */
export function addressOf(length: number): string {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.com`;
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
}

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
