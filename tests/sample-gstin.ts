import { isGstin } from '#domain/checkout/gstin.ts';

/** A GSTIN of a state, which nobody has: '32AABCU9603R1ZW' for 32. */
export function sampleGstin(stateCode: string): string {
  const first14 = `${stateCode}AABCU9603R1Z`;
  const last = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ').find((one) =>
    isGstin(first14 + one),
  );
  if (last === undefined) throw new Error(`${stateCode} begins no GSTIN`);
  return first14 + last;
}
