import { useEffect, useId } from 'react';
import type { Cart } from '#domain/cart/cart.ts';
import type { OrderChoices } from '#domain/sums/charges.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import type { DiscountTerms } from '#domain/cart/discount-terms.ts';
import { keptAdvance, type PaymentWay } from '#domain/sums/payment-way.ts';
import { formatRupees } from '#domain/money.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { useCashOffer, type CashState } from './use-cash-offer.ts';

interface PaymentChoiceProps {
  cart: Cart;
  discount: DiscountTerms | null;
  phone: string;
  postalCode: string;
  choices: OrderChoices;
  onChoices: (choices: OrderChoices) => void;
}

/** *Pay now* or *Cash on delivery*, with what each costs. One sentence says why cash is not possible. */
export default function PaymentChoice({
  cart,
  discount,
  phone,
  postalCode,
  choices,
  onChoices,
}: PaymentChoiceProps) {
  const name = useId();
  const { way } = choices;
  const now = summarizeCart(cart, discount, { ...choices, way: 'now' });
  const door = summarizeCart(cart, discount, { ...choices, way: 'door' });
  const offer = useCashOffer(cart, door.total, phone, postalCode);
  useEffect(() => {
    if (choices.way === 'door' && offer.kind === 'refused') onChoices({ ...choices, way: 'now' });
  }, [choices, offer.kind, onChoices]);
  const due = door.cash?.due ?? door.total;
  const charge = rowsPaise(door.rows, 'cash_charge');
  const kept = keptAdvance(door.total - due, cashOnDelivery);
  const choice = {
    name,
    chosen: way,
    onWay: (next: PaymentWay) => {
      onChoices({ ...choices, way: next });
    },
  };
  return (
    <fieldset className="grid gap-2 sm:col-span-2">
      {/* It looks like the labels of the fields; a legend takes no gap. */}
      <legend className="mb-2 text-sm font-medium">Payment</legend>
      <Way {...choice} value="now" label="Pay now">
        {formatRupees(now.total)} by UPI, card or net banking, through Razorpay.
      </Way>
      <Way
        {...choice}
        value="door"
        label="Cash on delivery"
        disabled={offer.kind !== 'offered'}
        status={stateText(offer)}
      >
        {offer.kind === 'refused'
          ? null
          : [
              due < door.total
                ? `${formatRupees(door.total - due)} now, and ${formatRupees(due)} in cash when it arrives`
                : `${formatRupees(due)} in cash when it arrives`,
              charge > 0 ? `. That includes ${formatRupees(charge)} for collecting cash.` : '.',
              kept === null ? '' : ` ${kept}`,
              ' We call you or write to you on WhatsApp before we send it.',
            ].join('')}
      </Way>
    </fieldset>
  );
}

interface WayProps {
  name: string;
  chosen: OrderChoices['way'];
  onWay: (way: PaymentWay) => void;
  value: PaymentWay;
  label: string;
  disabled?: boolean;
  /** Why it cannot be chosen, announced when it changes. */
  status?: string;
  children: string | readonly string[] | null;
}

/** All of the box can be pressed. Screen readers name it by its label, and describe it by what stands below. */
function Way({ name, chosen, onWay, value, label, disabled = false, status, children }: WayProps) {
  const id = useId();
  return (
    <label
      className={`flex min-h-11 items-start gap-3 border p-3 ${chosen === value ? 'border-brand-700' : 'border-line'} ${disabled ? '' : 'cursor-pointer'}`}
    >
      <input
        type="radio"
        name={name}
        value={value}
        className="mt-px size-[1.375rem] flex-none accent-brand-700"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        checked={chosen === value}
        disabled={disabled}
        onChange={() => {
          onWay(value);
        }}
      />
      <span className="text-sm/relaxed">
        <span id={`${id}-label`} className={`text-base ${disabled ? 'text-ink-500' : ''}`}>
          {label}
        </span>
        <span id={`${id}-about`}>
          {children === null ? null : <span className="block text-ink-500">{children}</span>}
          {status === undefined ? null : (
            <span className="block" role="status">
              {status}
            </span>
          )}
        </span>
      </span>
    </label>
  );
}

function stateText(offer: CashState): string {
  switch (offer.kind) {
    case 'unknown':
      return 'Give your phone number and PIN code first.';
    case 'asking':
      return 'Checking…';
    case 'refused':
      return offer.message;
    case 'offered':
      return '';
  }
}
