import { useEffect, useRef, type RefObject } from 'react';
import * as z from 'zod/mini';
import { isProductsHash } from './products-address.ts';

/** Scrolling has come to rest. */
const restMs = 150;
const stateSchema = z.object({
  products: z.object({
    /** How many rows were there. */
    shown: z.int().check(z.minimum(1), z.maximum(5_000)),
    /** The row that was at the top of the screen, or whose link was pressed, and where on the screen it stood. */
    id: z.string(),
    top: z.number(),
    pressed: z.boolean(),
  }),
});

function readPlace(): z.infer<typeof stateSchema>['products'] | null {
  const parsed = stateSchema.safeParse(window.history.state);
  return parsed.success ? parsed.data.products : null;
}

/** How many rows the list had when it was left; 0 when it was not. */
export const shownBefore = (): number => readPlace()?.shown ?? 0;

const rowsOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-product]') ?? []),
];

function writePlace(
  list: HTMLElement | null,
  row: HTMLElement | undefined,
  pressed: boolean,
): void {
  if (!isProductsHash(window.location.hash) || row?.dataset['product'] === undefined) return;
  const place = {
    shown: rowsOf(list).length,
    id: row.dataset['product'],
    top: row.getBoundingClientRect().top,
    pressed,
  };
  const state: unknown = window.history.state;
  window.history.replaceState({ ...(typeof state === 'object' ? state : {}), products: place }, '');
}

/** Keeps in this entry of the browser's history where the list was left, and goes there once it has been read again. */
export function usePlace(read: boolean): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!read) return;
    const place = readPlace();
    const row = rowsOf(list.current).find(({ dataset }) => dataset['product'] === place?.id);
    if (place && row) {
      window.scrollBy({ top: row.getBoundingClientRect().top - place.top, behavior: 'instant' });
      if (place.pressed) row.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const rows = rowsOf(list.current);
        // A page that is slow to come leaves time for the end of the scrolling that brought the pressed link into view.
        const pressedRow =
          readPlace()?.pressed === true
            ? rows.find((row) => row.contains(document.activeElement))
            : undefined;
        writePlace(
          list.current,
          pressedRow ?? rows.find((row) => row.getBoundingClientRect().top >= 0),
          pressedRow !== undefined,
        );
      }, restMs);
    };
    const press = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a') !== null) {
        clearTimeout(timer);
        writePlace(list.current, target.closest<HTMLElement>('[data-product]') ?? undefined, true);
      }
    };
    const pressed = list.current;
    window.addEventListener('scroll', rest, { passive: true });
    pressed?.addEventListener('click', press, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', rest);
      pressed?.removeEventListener('click', press, { capture: true });
    };
  }, [read]);
  return list;
}
