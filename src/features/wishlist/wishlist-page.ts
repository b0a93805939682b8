/* The wishlist's page: a card for each product on the wishlist, newest first, at the current price and stock. */
import '#elements/site/products.ts';
import type { WishlistEntry } from './domain/wishlist.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { fetchCurrentProducts } from '#services/catalogue/current-catalogue.ts';
import { $session } from '#stores/session.ts';
import { $wishlist, $wishlistState, forgetGoneWishes, syncWishlist } from './wishlist-store.ts';
import { fillProductCard, showCategory } from '#elements/listing/product-card.ts';
import { updateProductMarkup } from '#elements/site/product-markup.ts';
import { paintHearts } from './wishlist-hearts.ts';

class WishlistPage extends HTMLElement {
  /** The cards by their products' ids; null of one that is in the shop no longer. */
  readonly #items = new Map<string, HTMLElement | null>();
  #requested = new Set<string>();
  #underWay = 0;
  #hasFailed = false;
  readonly #stops: (() => void)[] = [];

  connectedCallback(): void {
    this.#stops.push(
      $session.subscribe(({ state }) => {
        for (const part of this.querySelectorAll<HTMLElement>('[data-for]'))
          part.hidden = part.dataset['for'] !== state;
      }),
      $wishlist.subscribe((entries) => {
        this.#draw(entries);
      }),
      $wishlistState.listen(() => {
        this.#draw($wishlist.get());
      }),
    );
    const again = (): void => {
      this.#requested = new Set();
      this.#hasFailed = false;
      $wishlistState.set('asking');
      this.#draw($wishlist.get());
      void syncWishlist();
    };
    // Each load syncs once, so that changes of other devices show: here, unless `wishlist-hearts` has done so on this page.
    void syncWishlist(performance.now());
    this.querySelector('[data-again]')?.addEventListener('click', again);
    // A page restored from bfcache refetches prices.
    const back = (event: PageTransitionEvent): void => {
      if (event.persisted) again();
    };
    window.addEventListener('pageshow', back);
    this.#stops.push(() => {
      window.removeEventListener('pageshow', back);
    });
  }

  disconnectedCallback(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #part(name: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`[data-part="${name}"]`);
  }

  #show(name: string, shown: boolean): void {
    const part = this.#part(name);
    if (part) part.hidden = !shown;
  }

  #draw(entries: readonly WishlistEntry[]): void {
    const list = this.querySelector('[data-cards]');
    if (!list) return;
    const unknown = entries.map(({ id }) => id).filter((id) => !this.#requested.has(id));
    const items = entries.map(({ id }) => this.#items.get(id)).filter((item) => item != null);
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const held = focused?.closest('li');
    const place = held ? [...list.children].indexOf(held) : -1;
    if (
      items.length !== list.children.length ||
      items.some((item, index) => item !== list.children[index])
    )
      list.replaceChildren(...items);
    paintHearts(this);
    // Removing a card moves the focus to the next one; a moved card keeps the focus.
    if (held?.isConnected === true && list.contains(held)) focused?.focus({ preventScroll: true });
    else if (held && place >= 0)
      (
        items[Math.min(place, items.length - 1)]?.querySelector<HTMLElement>(
          'wishlist-button button',
        ) ?? this.#part('title')
      )?.focus();
    const isBlank = items.length === 0 && unknown.length === 0 && this.#underWay === 0;
    const hasFailed = this.#hasFailed || $wishlistState.get() === 'unreachable';
    this.#show('empty', isBlank && !hasFailed && $wishlistState.get() === 'known');
    this.#show('failed', isBlank && hasFailed);
    this.#show('filled', items.length > 0);
    const count = this.#part('count');
    if (count)
      count.textContent =
        items.length === 0
          ? ''
          : `${String(items.length)} ${items.length === 1 ? 'piece' : 'pieces'}`;
    if (unknown.length > 0) void this.#fetch(unknown);
  }

  async #fetch(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#requested.add(id);
    this.#underWay += 1;
    this.ariaBusy = 'true';
    try {
      const products = new Map(
        (await fetchCurrentProducts(ids)).map((product) => [product.id, product]),
      );
      for (const id of ids)
        this.#items.set(id, this.#cardOf(products.get(id), this.#items.get(id)));
      forgetGoneWishes(new Set(ids.filter((id) => !products.has(id))));
    } catch (error) {
      console.info('No live prices', error);
      this.#hasFailed = true;
    }
    this.#underWay -= 1;
    if (this.#underWay === 0) this.ariaBusy = null;
    this.#draw($wishlist.get());
  }

  /** The card of a product: a new one, or the one that is there brought up to date; null when the shop has it no longer. */
  #cardOf(
    product: Product | undefined,
    present: HTMLElement | null | undefined,
  ): HTMLElement | null {
    if (!product) return null;
    const made =
      present ??
      this.querySelector<HTMLTemplateElement>(
        'template[data-card]',
      )?.content.firstElementChild?.cloneNode(true);
    const card = made instanceof HTMLElement ? made.querySelector('article') : null;
    if (!(made instanceof HTMLElement) || !card) return null;
    if (!present) {
      showCategory(card, product.category);
      fillProductCard(card, { ...product, sized: product.sizes.length > 0 });
      card.querySelector('.marks')?.append(...made.querySelectorAll('.badge-out'));
    }
    updateProductMarkup(card, product);
    const soldOut = product.stock === 0;
    for (const part of made.querySelectorAll<HTMLElement>('[data-sold-out]'))
      part.hidden = !soldOut;
    // Its place is the link's, so that all buttons of a row stand in line.
    const toCart = made.querySelector<HTMLElement>('add-to-cart');
    if (toCart) toCart.hidden = soldOut;
    const alert = made.querySelector<HTMLAnchorElement>('a[data-sold-out]');
    if (alert) {
      // The field of the form for its coming back: the browser opens what it is in.
      alert.href = `/product/${encodeURIComponent(product.id)}#alert-email`;
      alert.ariaLabel = `Tell me when it is back: ${product.name}`;
    }
    return made;
  }
}

customElements.define('wishlist-page', WishlistPage);
