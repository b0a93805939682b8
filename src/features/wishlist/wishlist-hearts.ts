import { maxWishlist } from './domain/wishlist.ts';
import { explainUnkept } from '#elements/lazy/explain-unkept.ts';
import { dismissToast, showToast } from '#stores/toasts.ts';
import { localTexts } from '#services/storage/browser-storage.ts';
import { wishlistKey } from './stored-wishlist.ts';
import { $wishlist, changeWishlist, followWishlist } from './wishlist-store.ts';

/** Long enough to find and press the toast's button (ms). */
const undoMs = 8_000;

const rootOf = (heart: HTMLElement) => heart.closest<HTMLElement>('[data-product-view]');
const idOf = (heart: HTMLElement): string => rootOf(heart)?.dataset['id'] ?? '';
const nameOf = (heart: HTMLElement): string =>
  rootOf(heart)?.querySelector('[data-name]')?.textContent.trim() ?? '';

/** Shows on a heart whether its product is on the wishlist. */
function paintHeart(heart: HTMLElement, kept: ReadonlySet<string>): void {
  const button = heart.querySelector('button');
  if (!button) return;
  // Its name stays: 'Add … to wishlist, pressed'. If both changed, screen readers would say the opposite.
  button.ariaPressed = String(kept.has(idOf(heart)));
}

const keptIds = (): ReadonlySet<string> => new Set($wishlist.get().map(({ id }) => id));

/** Shows on the hearts in `root` which of their products are on the wishlist. */
export function paintHearts(root: ParentNode): void {
  const kept = keptIds();
  for (const heart of root.querySelectorAll<HTMLElement>('wishlist-button'))
    paintHeart(heart, kept);
}

let lastToast = 0;
/** Shows one toast of hearts at a time, that of the last press. */
function showHeartToast(
  title: string,
  name: string,
  action: HTMLElement,
  durationMs?: number,
): void {
  dismissToast(lastToast);
  const line = document.createDocumentFragment();
  action.className = 'cursor-pointer p-3 underline';
  line.append(`${name} `, action);
  lastToast = showToast(title, {
    description: line,
    tone: 'success',
    ...(durationMs === undefined ? {} : { durationMs }),
  });
}

/** Adds the surrounding product to the wishlist, or removes it with an undo. */
export function pressHeart(heart: HTMLElement): void {
  const [id, name] = [idOf(heart), nameOf(heart)];
  if (id === '') return;
  const entries = $wishlist.get();
  const entry = entries.find((known) => known.id === id);
  changeWishlist(id, entry === undefined);
  if (!localTexts.outlivesPage(wishlistKey)) {
    changeWishlist(id, entry !== undefined, entry?.at);
    explainUnkept('Your wishlist cannot be kept', { id, name });
    return;
  }
  if (entry) {
    const undo = Object.assign(document.createElement('button'), {
      type: 'button',
      textContent: 'Undo',
    });
    undo.addEventListener('click', () => {
      changeWishlist(id, true, entry.at);
      dismissToast(lastToast);
    });
    showHeartToast('Removed from wishlist', name, undo, undoMs);
    return;
  }
  const view = Object.assign(document.createElement('a'), {
    href: '/wishlist',
    textContent: 'View',
  });
  const isFull = entries.length >= maxWishlist;
  showHeartToast(
    'Added to wishlist',
    isFull
      ? `${name}. A wishlist holds ${String(maxWishlist)} pieces: the one you added first was removed.`
      : name,
    view,
  );
}

followWishlist();
$wishlist.subscribe(() => {
  paintHearts(document);
});
// A card that the listing rendered.
document.addEventListener('product-drawn', ({ target }) => {
  if (target instanceof HTMLElement) paintHearts(target);
});
