import { paiseFromText, rupeeText } from '#domain/admin/typed-rupees.ts';

const symbols: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };
const codes =
  /(?<![A-Z])(?:INR|USD|EUR|GBP|AED|SAR|QAR|OMR|KWD|BHD|SGD|MYR|THB|IDR|VND|AUD|CAD|NZD|CHF|JPY|CNY|HKD|LKR|NPR|BDT|PKR|ZAR|NGN|KES|SEK|NOK|DKK|PLN|CZK|TRY|BRL|MXN|RUB)(?![A-Z])/u;

/** '1299.00 INR', 'INR 1299', '₹1,299.00', '$12': the amount, and the code of its currency when that is not the rupee. */
export function moneyOf(text: string): { amount: string; currency: string | null } {
  const [code] = codes.exec(text) ?? [];
  const [symbol] = /[$€£¥]/u.exec(text) ?? [];
  const currency = code ?? (symbol === undefined ? undefined : symbols[symbol]);
  return {
    amount: text
      .replace(codes, '')
      .replace(/(?:US)?[$€£¥]/u, '')
      .trim(),
    currency: currency === undefined || currency === 'INR' ? null : currency,
  };
}

/** How many rupees one unit of a currency is; null for what is no rate. Nought leaves the products of the currency out. */
export function rateFromText(text: string): number | null {
  return /^\d{1,6}(?:\.\d{1,6})?$/u.test(text.trim()) ? Number(text) : null;
}

/** An amount in rupees by a rate, in whole rupees. A text that is no amount stays, so that the form refuses it. */
export function inRupees(text: string, rate: number): string {
  const hundredths = paiseFromText(text);
  return hundredths === null
    ? text
    : rupeeText(Math.max(1, Math.round((hundredths * rate) / 100)) * 100);
}
