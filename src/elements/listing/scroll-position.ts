import * as v from '../../domain/validate.ts';
import { afterPaint } from '../site/after-paint.ts';

/*
 * Where somebody was in the listing, kept in the history entry: the browser's own memory is of pixels, and the page that
 * is opened again has other cards above. Kept when the page is left, for whoever comes back or loads it again.
 */
interface ScrollPosition {
  /** The card in view that has the focus, else the first in view, counted in the results; with how far below the top of the screen it began. */
  card: number;
  offset: number;
  /** The page's own position, for when no card had been reached. */
  y: number;
  /** The card that had the focus, or -1. */
  focused: number;
}

const parseState = v.object({
  listing: v.object({ card: v.number, offset: v.number, y: v.number, focused: v.number }),
});

function cardsOf(host: HTMLElement): { items: HTMLElement[]; start: number } {
  const list = host.querySelector<HTMLElement>('[data-cards]');
  return {
    items: [...(list?.children ?? [])].filter((item) => item instanceof HTMLElement),
    start: Number(list?.dataset['start'] ?? 0),
  };
}

/** Where the shopper is now. */
function readScrollPosition(host: HTMLElement): ScrollPosition {
  const { items, start } = cardsOf(host);
  const first = items.findIndex((item) => item.getBoundingClientRect().bottom > 0);
  const focused = items.findIndex((item) => item.contains(document.activeElement));
  const topOf = (index: number): number => items[index]?.getBoundingClientRect().top ?? 0;
  // Above the cards the page itself is the measure.
  const reached = first >= 0 && (first > 0 || topOf(first) < 0);
  const card = focused >= first && topOf(focused) < innerHeight ? focused : first;
  return {
    card: reached ? card + start : -1,
    offset: topOf(card),
    y: scrollY,
    focused: focused < 0 ? -1 : focused + start,
  };
}

/** Keeps the position in the history from now on. */
export function keepScrollPosition(host: HTMLElement): void {
  let keptAt = Number.NaN;
  const keep = (): void => {
    keptAt = scrollY;
    // Said of each entry: one that was added since would have the browser scroll to its own pixels.
    history.scrollRestoration = 'manual';
    history.replaceState({ ...Object(history.state), listing: readScrollPosition(host) }, '');
  };
  history.scrollRestoration = 'manual';
  window.addEventListener('scrollend', keep);
  // Measuring the cards takes a moment, which a press has no time for.
  host.addEventListener('focusin', () => {
    afterPaint(keep);
  });
  // A phone may end a page that is out of sight without another word. Not measured without need: Chromium may lay out a page
  // that is left with the font that was too late for those who read it.
  const keepIfScrolled = (): void => {
    if (scrollY !== keptAt) keep();
  };
  window.addEventListener('pagehide', keepIfScrolled);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keepIfScrolled();
  });
  // The entry that a link leaves is kept before the next one begins.
  host.addEventListener(
    'click',
    (event) => {
      if (event.target instanceof Element && event.target.closest('a[href]')) keep();
    },
    { capture: true },
  );
}

/** The card to come back to in this history entry, or null: the results must have it before the position is restored. */
export function keptCard(): number | null {
  try {
    const { card } = parseState(history.state).listing;
    return card < 0 ? null : card;
  } catch {
    return null;
  }
}

/** Goes to the position that this history entry has, if any. */
export function restoreScrollPosition(host: HTMLElement): void {
  try {
    const { card, offset, y, focused } = parseState(history.state).listing;
    const { items, start } = cardsOf(host);
    const item = items[card - start];
    scrollTo({
      top: item ? scrollY + item.getBoundingClientRect().top - offset : y,
      behavior: 'instant',
    });
    const held = items[focused - start];
    const focus = (): void => {
      held?.querySelector<HTMLElement>('.card-name a')?.focus({ preventScroll: true });
    };
    // A card that waits for its link takes no focus yet; by then the shopper may be elsewhere.
    if (held?.querySelector('[inert]'))
      held.addEventListener(
        'product-drawn',
        () => {
          if (document.activeElement === document.body) focus();
        },
        { once: true },
      );
    else focus();
  } catch {
    // A new entry: it begins at the top, or at the address's fragment.
  }
}
