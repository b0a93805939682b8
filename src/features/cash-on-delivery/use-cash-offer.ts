import { useEffect, useState } from 'react';
import type { Cart } from '#domain/cart/cart.ts';
import { readPhone } from '#domain/checkout/phone.ts';
import type { Paise } from '#domain/money.ts';
import { fetchCashOffer } from './fetch-offer.ts';

/** Whether the cart can be paid at the door: not known before the phone and the PIN code are typed; else `refused` says why not. */
export type CashState =
  { kind: 'unknown' | 'asking' | 'offered' } | { kind: 'refused'; message: string };

const unanswered = 'We could not check cash on delivery just now. You can pay now instead.';

/** Asks anew when something changes on which the answer depends. `total` in paise, the charge included. */
export function useCashOffer(
  cart: Cart,
  total: Paise,
  phone: string,
  postalCode: string,
): CashState {
  const lines = cart.items.filter(({ quantity }) => quantity > 0);
  const pin = postalCode.replaceAll(/\D/gu, '');
  const question =
    readPhone(phone) === null || pin.length !== 6
      ? ''
      : JSON.stringify({
          products: [...new Set(lines.map(({ id }) => id))],
          phone: phone.trim(),
          postalCode: pin,
          total,
        });
  const [answer, setAnswer] = useState<{ to: string; state: CashState } | null>(null);
  useEffect(() => {
    if (question === '') return;
    let current = true;
    void fetchCashOffer(JSON.parse(question) as Parameters<typeof fetchCashOffer>[0]).then(
      (offer) => {
        if (!current) return;
        const message = offer === null ? unanswered : offer.refusal?.message;
        const state: CashState =
          message === undefined ? { kind: 'offered' } : { kind: 'refused', message };
        setAnswer({ to: question, state });
      },
    );
    return () => {
      current = false;
    };
  }, [question]);
  if (question === '') return { kind: 'unknown' };
  return answer?.to === question ? answer.state : { kind: 'asking' };
}
