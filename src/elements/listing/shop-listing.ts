import { matchesListing, sortListed, sortOrders, type Listed, type Listing } from '../../domain/catalogue/listing.ts';
import { categories } from '../../domain/catalogue/product.ts';
import { readProductMarkup } from '../site/product-markup.ts';

interface Entry extends Listed {
  item: HTMLElement;
}

/** Search, category, sort and view over the cards that are in the page already. The address says what is shown. */
class ShopListing extends HTMLElement {
  #entries: Entry[] = [];

  connectedCallback(): void {
    this.#readCards();
    this.#readAddress();
    this.addEventListener('input', () => { this.#apply(); });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#apply();
    });
    this.addEventListener('click', (event) => { this.#act(event); });
    document.addEventListener('products-changed', () => {
      this.#readCards();
      this.#apply();
    });
    // A page that the browser kept, or filled in again, may not say what its address says.
    window.addEventListener('pageshow', () => { this.#readAddress(); });
  }

  #readCards(): void {
    this.#entries = [...this.querySelectorAll<HTMLElement>('[data-cards] > li')].flatMap((item) => {
      const card = item.querySelector<HTMLElement>('[data-product-view]');
      return card && card.dataset['gone'] === undefined ? [{ ...readProductMarkup(card), item }] : [];
    });
  }

  get #form(): HTMLFormElement | null {
    return this.querySelector('form');
  }

  #readAddress(): void {
    const form = this.#form;
    if (!form) return;
    const query = new URLSearchParams(location.search);
    const ofPath = /^\/shop\/(\w+)/u.exec(location.pathname)?.[1];
    setField(form, 'q', query.get('q') ?? '');
    setField(form, 'category', [query.get('category')?.toLowerCase(), ofPath].find(isCategory) ?? 'all');
    setField(form, 'sort', sortOrders.find((order) => order === query.get('sort')) ?? 'name');
    this.#setView(query.get('view') === 'list' ? 'list' : 'grid');
    this.#apply({ keepAddress: true });
  }

  #listing(): Listing {
    const data = this.#form ? new FormData(this.#form) : new FormData();
    const [search, category, sort] = ['q', 'category', 'sort'].map((name) => data.get(name));
    return {
      search: typeof search === 'string' ? search : '',
      category: categories.find((known) => known === category) ?? 'all',
      sort: sortOrders.find((known) => known === sort) ?? 'name',
    };
  }

  #apply({ keepAddress = false } = {}): void {
    const listing = this.#listing();
    const list = this.querySelector('[data-cards]');
    const sorted = sortListed(this.#entries, listing.sort);
    let shown = 0;
    for (const entry of sorted) {
      const matches = matchesListing(entry, listing);
      entry.item.hidden = !matches;
      if (matches) shown += 1;
    }
    // Moving nodes costs layout and the position of the focus: only when the order is another.
    if (sorted.some((entry, index) => list?.children[index] !== entry.item)) list?.append(...sorted.map((entry) => entry.item));
    const count = this.querySelector('[data-count]');
    const text = `Showing ${String(shown)} of ${String(this.#entries.length)} products`;
    if (count && count.textContent !== text) count.textContent = text;
    const empty = this.querySelector<HTMLElement>('[data-empty]');
    if (empty) empty.hidden = shown > 0;
    if (!keepAddress) this.#writeAddress(listing);
  }

  #writeAddress({ search, category, sort }: Listing): void {
    const query = new URLSearchParams();
    if (search.trim() !== '') query.set('q', search.trim());
    if (category !== 'all') query.set('category', category);
    if (sort !== 'name') query.set('sort', sort);
    if (this.dataset['view'] === 'list') query.set('view', 'list');
    const text = query.toString();
    history.replaceState(history.state, '', text === '' ? '/shop' : `/shop?${text}`);
  }

  #setView(view: string): void {
    this.dataset['view'] = view;
    for (const button of this.querySelectorAll<HTMLElement>('[data-view-button]')) {
      button.ariaPressed = String(button.dataset['viewButton'] === view);
    }
  }

  #act(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const view = event.target.closest<HTMLElement>('[data-view-button]')?.dataset['viewButton'];
    if (view !== undefined) {
      this.#setView(view);
      this.#writeAddress(this.#listing());
    }
    if (!event.target.closest('[data-clear]') || !this.#form) return;
    event.preventDefault();
    setField(this.#form, 'q', '');
    setField(this.#form, 'category', 'all');
    this.#apply();
    this.#form.querySelector<HTMLElement>('input')?.focus();
  }
}

const isCategory = (text: string | null | undefined) => categories.some((category) => category === text);

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
}

customElements.define('shop-listing', ShopListing);
