import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { CartSummary } from '#domain/cart/cart-summary.ts';
import { codePattern, termsText, tidyCode } from '#domain/cart/discount-terms.ts';
import {
  parseShownDiscounts,
  shownDiscountText,
  type ShownDiscount,
} from './domain/shown-discounts.ts';
import { formatRupees } from '#domain/money.ts';
import { rowsPaise } from '#domain/sums/sum-rows.ts';
import { checkDiscount } from '#services/checkout/discount.ts';
import { $discount } from '#stores/discount.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';

/** Revalidates the stored code, which may have expired. */
async function refreshDiscount(code: string): Promise<void> {
  const answer = await checkDiscount(code);
  // Another code may have been entered meanwhile.
  if ($discount.get()?.code !== code || answer.kind === 'unreachable') return;
  $discount.set(answer.kind === 'terms' ? answer.terms : null);
  if (answer.kind === 'refused')
    showToast('Discount code removed', { description: answer.message });
}

/** The codes that the shop shows to everybody; none while they cannot be fetched. */
function useShownDiscounts(): ShownDiscount[] {
  const [shown, setShown] = useState<ShownDiscount[]>([]);
  useEffect(() => {
    const aborter = new AbortController();
    fetch('/api/discounts', { signal: aborter.signal })
      .then(async (response): Promise<unknown> => response.json())
      .then((answer) => {
        setShown(parseShownDiscounts(answer, new Date()));
      })
      .catch((error: unknown) => {
        if (!aborter.signal.aborted) console.info('The codes could not be fetched', error);
      });
    return () => {
      aborter.abort();
    };
  }, []);
  return shown;
}

/** The field of a discount code, and the button that removes it. */
export function DiscountCode({ summary }: { summary: CartSummary }) {
  const terms = useStore($discount);
  const { values, ref, busy, change, bind, refuse, submit } = useForm(() => ({ discount: '' }));
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const kept = $discount.get();
    if (kept) void refreshDiscount(kept.code);
  }, []);

  const shown = useShownDiscounts();

  const apply = async (typed: string) => {
    const code = tidyCode(typed);
    if (!codePattern.test(code)) {
      refuse({
        discount:
          code === ''
            ? 'Type a code first.'
            : `We do not know the code ${code}. Please look at its spelling.`,
      });
      return;
    }
    const answer = await checkDiscount(code);
    if (answer.kind === 'terms') {
      $discount.set(answer.terms);
      change({ discount: '' });
      // The field that had the focus is gone.
      requestAnimationFrame(() => status.current?.focus());
    } else refuse({ discount: answer.message });
  };
  const remove = () => {
    $discount.set(null);
    requestAnimationFrame(() => ref.current?.querySelector('input')?.focus());
  };

  if (terms !== null) {
    const missing = terms.minSubtotal - rowsPaise(summary.rows, 'goods');
    return (
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-4">
        <p ref={status} tabIndex={-1} className="min-w-0 flex-1 text-sm" role="status">
          <span className="font-medium wrap-anywhere">{terms.code}</span>{' '}
          <span className="text-ink-500">({termsText(terms)})</span>
          {missing > 0 ? (
            <span className="block text-accent-700">
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
      ref={ref}
      noValidate
      className="mt-5 flex flex-wrap items-start gap-x-3 border-t border-line pt-4"
      onSubmit={(event) => void submit(event, async () => apply(values.discount))}
    >
      <Field
        {...bind('discount')}
        label="Discount code"
        className="min-w-0 flex-1"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
      />
      {/* The button stands as far down as the field below its label, so that an error under the field moves nothing. */}
      <button
        type="submit"
        className="btn btn-secondary mt-[calc(1.65*0.9375rem+0.375rem)] shrink-0"
        aria-busy={busy}
      >
        {busy ? 'Checking…' : 'Apply'}
      </button>
      {shown.map((discount) => (
        <button
          key={discount.code}
          type="button"
          className="link min-h-11 w-full text-left text-sm"
          onClick={(event) => void submit(event, async () => apply(discount.code))}
        >
          {shownDiscountText(discount)}
        </button>
      ))}
    </form>
  );
}
