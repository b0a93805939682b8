import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import {
  codePattern,
  termsText,
  tidyCode,
  type CartSummary,
} from '../../domain/cart/cart-summary.ts';
import { formatRupees } from '../../domain/money.ts';
import { checkDiscount } from '../../services/checkout/discount.ts';
import { $discount } from '../../stores/discount.ts';
import { showToast } from '../../stores/toasts.ts';
import { Field } from '../shared/Field.tsx';

const unreachable = 'The code could not be checked. Please check your connection and try again.';

/** Revalidates the stored code, which may have expired. */
async function refreshDiscount(code: string): Promise<void> {
  const answer = await checkDiscount(code);
  // Another code may have been entered meanwhile.
  if ($discount.get()?.code !== code || answer.kind === 'unreachable') return;
  $discount.set(answer.kind === 'terms' ? answer.terms : null);
  if (answer.kind === 'refused')
    showToast('Discount code removed', { description: answer.message });
}

/** The field of a discount code, and the button that removes it. */
export function DiscountField({ summary }: { summary: CartSummary }) {
  const terms = useStore($discount);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLFormElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const kept = $discount.get();
    if (kept) void refreshDiscount(kept.code);
  }, []);

  const apply = async () => {
    const code = tidyCode(typed);
    if (!codePattern.test(code))
      setError(
        code === ''
          ? 'Type a code first.'
          : `We do not know the code ${code}. Please look at its spelling.`,
      );
    else {
      setBusy(true);
      const answer = await checkDiscount(code);
      setBusy(false);
      if (answer.kind === 'terms') {
        $discount.set(answer.terms);
        setTyped('');
        // The field that had the focus is gone.
        requestAnimationFrame(() => status.current?.focus());
        return;
      }
      setError(answer.kind === 'refused' ? answer.message : unreachable);
    }
    input.current?.querySelector('input')?.focus();
  };
  const remove = () => {
    $discount.set(null);
    setError(undefined);
    requestAnimationFrame(() => input.current?.querySelector('input')?.focus());
  };

  if (terms !== null) {
    const missing = terms.minSubtotal - summary.subtotal;
    return (
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-4">
        <p ref={status} tabIndex={-1} className="min-w-0 flex-1 text-sm" role="status">
          <span className="font-medium wrap-anywhere">{terms.code}</span>{' '}
          <span className="text-ink-500">({termsText(terms)})</span>
          {missing > 0 ? (
            <span className="block text-gold-700">
              Add pieces for {formatRupees(missing)} more to use it.
            </span>
          ) : null}
        </p>
        <button
          type="button"
          className="btn btn-quiet min-h-11"
          aria-label={`Remove the discount code ${terms.code}`}
          onClick={remove}
        >
          Remove
        </button>
      </div>
    );
  }
  return (
    <form
      ref={input}
      noValidate
      className="mt-5 flex items-start gap-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void apply();
      }}
    >
      <Field
        name="discount"
        label="Discount code"
        className="min-w-0 flex-1"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={typed}
        error={error}
        onValue={(text) => {
          setTyped(text);
          setError(undefined);
        }}
      />
      <button type="submit" className="btn btn-secondary mt-8 shrink-0" aria-busy={busy}>
        {busy ? 'Checking…' : 'Apply'}
      </button>
    </form>
  );
}
