/* Amounts as the admin types them. Apart from `domain/money`, which every page carries. */
import { paiseFromRupees, rupeesFromPaise, type Paise } from '#domain/money.ts';

/** A number without the commas that group its digits, '1,23,456'. Others stay: whoever types '499,50' means no 49,950. */
export function withoutGrouping(text: string): string {
  return /^[-+]?\d+(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/u.test(text) ? text.replaceAll(',', '') : text;
}

/**
 * Rupees as a person types them ('₹ 1,23,456.50', 'Rs. 499/-', '499.0000') to paise, exactly. Null when they are no amount, and
 * when there are more than two decimals: nothing is rounded unseen.
 */
export function paiseFromText(text: string): Paise | null {
  const bare = withoutGrouping(
    text
      .trim()
      .replace(/^(?:₹|rs\.?|inr)\s*/iu, '')
      .replace(/\s*(?:\/-|₹|rs\.?|inr)$/iu, '')
      // Other programs write 1299.0000; noughts say nothing.
      .replace(/(?<=\.\d\d)0+$/u, ''),
  );
  return /^\d+(?:\.\d{0,2})?$|^\.\d{1,2}$/u.test(bare) ? paiseFromRupees(bare) : null;
}

/** Paise as a form shows them: '3499', '499.5' is '499.50'. */
export function rupeeText(paise: Paise): string {
  return paise % 100 === 0 ? String(paise / 100) : rupeesFromPaise(paise).toFixed(2);
}
