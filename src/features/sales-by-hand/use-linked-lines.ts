import { useEffect, useState } from 'react';
import { maxQuantity } from '#domain/cart/cart-limits.ts';
import { lineKey } from '#domain/catalogue/sizes.ts';
import { parseLines, type LinkedLine } from '#domain/cart/linked-lines.ts';
import { fetchLinkedLines } from '#services/catalogue/fetch-linked-lines.ts';
import type { ChosenProduct, NewOrderDraft } from './use-new-order.ts';

/** The lines of the link that the form was opened by. */
const linesOfAddress = (): LinkedLine[] => parseLines(window.location.hash.split('?')[1] ?? '');

/** Fills the form with the lines of a customer's link, at the prices and stock of now. Returns what the admin should know of it, or ''. */
export function useLinkedLines({ update }: NewOrderDraft): string {
  const [wanted] = useState(linesOfAddress);
  const [note, setNote] = useState('');
  useEffect(() => {
    if (wanted.length === 0) return;
    let current = true;
    fetchLinkedLines(wanted)
      .then((found) => {
        if (!current) return;
        const lines = found.flatMap(({ product, size, stock, quantity }): ChosenProduct[] => {
          const left = Math.min(quantity, maxQuantity(stock));
          if (left === 0) return [];
          const sized = size === undefined ? {} : { size };
          const key = lineKey(product.id, size);
          return [{ key, product, ...sized, stock, quantity: left }];
        });
        update((values) => ({ ...values, lines, channel: 'whatsapp' }));
        const units = (all: readonly { quantity: number }[]) =>
          all.reduce((sum, { quantity }) => sum + quantity, 0);
        setNote(
          units(lines) < units(wanted)
            ? 'Not all that the customer asked for is in stock. Here is what is left.'
            : 'From the customer’s cart, at the prices of now.',
        );
      })
      .catch((error: unknown) => {
        console.warn('The lines of the link could not be fetched', error);
        if (current) setNote('The customer’s cart could not be loaded. Reload the page.');
      });
    return () => {
      current = false;
    };
  }, [wanted, update]);
  return note;
}
