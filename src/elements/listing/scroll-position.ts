import { productsPerPage } from '#domain/catalogue/listing/listing.ts';
import * as v from '#domain/validate.ts';

/*
 * The place in the listing, stored in the history entry. The browser's own scroll restoration counts pixels, but cards after the
 * first page are not there yet.
 */
const parseState = v.object({
  listing: v.object({
    /** Number of cards in the list. */
    shown: v.number,
    /** The card in view, counted in the list, or -1 when no card was reached; and the distance of its top from the screen's. */
    card: v.number,
    offset: v.number,
    /** Scroll position of the page, for when no card was reached. */
    y: v.number,
    /** The card with the focus, or -1. */
    focused: v.number,
  }),
});
type ScrollPosition = ReturnType<typeof parseState>['listing'];

const cardsOf = (host: HTMLElement): Element[] => [
  ...(host.querySelector('[data-cards]')?.children ?? []),
];

function readScrollPosition(host: HTMLElement): ScrollPosition {
  const cards = cardsOf(host);
  const tops = cards.map((card) => card.getBoundingClientRect());
  const first = tops.findIndex(({ bottom }) => bottom > 0);
  const focused = cards.findIndex((card) => card.contains(document.activeElement));
  const isReached = first > 0 || (tops[first]?.top ?? 0) < 0;
  const isFocusInView = focused >= first && (tops[focused]?.top ?? Infinity) < innerHeight;
  const card = isFocusInView ? focused : first;
  return {
    shown: cards.length,
    card: isReached ? card : -1,
    offset: tops[card]?.top ?? 0,
    y: scrollY,
    focused,
  };
}

/** Stores the position in the history from now on. */
export function keepScrollPosition(host: HTMLElement): void {
  let keptAt = Number.NaN;
  const keep = (): void => {
    keptAt = scrollY;
    // Applies to one entry only, so each new entry needs it.
    history.scrollRestoration = 'manual';
    history.replaceState({ ...Object(history.state), listing: readScrollPosition(host) }, '');
  };
  // Measured only when needed: Chromium may lay out a page that is being left with a font that arrived too late for its reader.
  const keepIfScrolled = (): void => {
    if (scrollY !== keptAt) keep();
  };
  history.scrollRestoration = 'manual';
  window.addEventListener('scrollend', keep);
  window.addEventListener('pagehide', keepIfScrolled);
  // A phone may discard a hidden page without another event.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keepIfScrolled();
  });
  host.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('a[href]')) keep();
    },
    { capture: true },
  );
}

function storedPosition(): ScrollPosition | null {
  try {
    return parseState(history.state).listing;
  } catch {
    return null;
  }
}

/** How many cards the list had in this history entry. */
export const storedCount = (): number => storedPosition()?.shown ?? productsPerPage;

/** Scrolls to the position of this history entry, if it has one, and focuses the card that had the focus. */
export function restoreScrollPosition(host: HTMLElement): void {
  const position = storedPosition();
  if (!position) return;
  const { card, offset, y, focused } = position;
  const cards = cardsOf(host);
  const target = cards[card];
  // A card gets its height with its description, which may come frames later and moves the cards below it.
  const scroll = (frames: number): void => {
    const top = target ? scrollY + target.getBoundingClientRect().top - offset : y;
    if (Math.abs(top - scrollY) >= 1) scrollTo({ top, behavior: 'instant' });
    if (target && frames > 0)
      requestAnimationFrame(() => {
        scroll(frames - 1);
      });
  };
  scroll(3);
  focusCard(cards[focused]);
}

/** Focuses the link of a card, which is inert until it is drawn, unless the focus moves elsewhere meanwhile. */
export function focusCard(item: Element | undefined): void {
  const before = document.activeElement;
  const focus = (): void => {
    if (document.activeElement === before || document.activeElement === document.body)
      item?.querySelector<HTMLElement>('.card-name a')?.focus({ preventScroll: true });
  };
  item?.addEventListener('product-drawn', focus, { once: true });
  focus();
}
