import type { Paise } from '#domain/money.ts';

const small = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

function underHundred(n: number): string {
  if (n < 20) return small[n] ?? '';
  const ten = tens[Math.floor(n / 10)] ?? '';
  return n % 10 === 0 ? ten : `${ten}-${small[n % 10] ?? ''}`;
}

const units = [
  { size: 10_000_000, word: 'crore' },
  { size: 100_000, word: 'lakh' },
  { size: 1_000, word: 'thousand' },
  { size: 100, word: 'hundred' },
] as const;

/** A whole number in words, as India counts: 12345678 → 'one crore twenty-three lakh forty-five thousand …'. */
export function numberInWords(n: number): string {
  const unit = units.find(({ size }) => n >= size);
  if (!unit) return underHundred(n);
  const rest = n % unit.size;
  const words = `${numberInWords(Math.floor(n / unit.size))} ${unit.word}`;
  return rest === 0 ? words : `${words} ${numberInWords(rest)}`;
}

/** An amount as invoices write it: 12345650 → 'Rupees one lakh twenty-three thousand … and fifty paise only'. */
export function amountInWords(paise: Paise): string {
  const amount = Math.abs(paise);
  const rest = amount % 100;
  const rupees = `Rupees ${numberInWords(Math.floor(amount / 100))}`;
  const words = rest === 0 ? rupees : `${rupees} and ${underHundred(rest)} paise`;
  return `${paise < 0 ? 'Minus ' : ''}${words} only`;
}
