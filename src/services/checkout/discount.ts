import * as v from '#domain/validate.ts';
import { parseTerms, type DiscountTerms } from '#domain/cart/discount-terms.ts';
import { getAccessToken } from '#services/auth/account.ts';
import { explainFault, readJson, request } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';

/** The answer to a code: its terms, or why not, in words. 'unreachable': no usable response, and why; the current code stays. */
export type DiscountAnswer =
  | { kind: 'terms'; terms: DiscountTerms }
  | { kind: 'refused'; message: string }
  | { kind: 'unreachable'; message: string };

const unreachable = 'The code could not be checked. Please check your connection and try again.';
const parseAnswer = v.object({ discount: parseTerms });
const parseRefusal = v.object({ message: v.nonEmptyString });

/** Checks a discount code at the server. Never throws. */
export async function checkDiscount(code: string): Promise<DiscountAnswer> {
  try {
    const token = await getAccessToken().catch(() => null);
    const answer = await request('/api/discount', {
      method: 'POST',
      // A signed-in customer reads at once that they used the code already.
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ code }),
      signal: timeLimit(15_000),
    });
    const json = await readJson(answer);
    if (answer.ok) return { kind: 'terms', terms: parseAnswer(json).discount };
    return answer.status >= 500
      ? {
          kind: 'unreachable',
          message: 'The code could not be checked. Please try again in a moment.',
        }
      : { kind: 'refused', message: parseRefusal(json).message };
  } catch (error) {
    console.info('The discount code could not be checked', error);
    return { kind: 'unreachable', message: explainFault(error, unreachable) };
  }
}
