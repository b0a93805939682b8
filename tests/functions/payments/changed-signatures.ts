/** Every position with every other hex digit, every case, every length, and what is not hex at all. */
export const changedSignatures = (valid: string): string[] => [
  ...Array.from({ length: 64 }, (_, at) =>
    Array.from('0123456789abcdef')
      .filter((digit) => digit !== valid[at])
      .map((digit) => valid.slice(0, at) + digit + valid.slice(at + 1)),
  ).flat(),
  ...Array.from({ length: 64 }, (_, length) => valid.slice(0, length)),
  valid.toUpperCase(),
  `${valid}0`,
  `${valid}\n`,
  ` ${valid}`,
  'undefined',
  '[object Object]',
  Buffer.from(valid, 'hex').toString('base64'),
];
