import type { IndexedProduct } from '#domain/catalogue/listing/catalogue-index.ts';
import {
  builtPagePath,
  listingAddress,
  readListingAddress,
  type ListingAddress,
} from '#domain/catalogue/listing/listing-address.ts';
import { facetNames, onOffer } from '#domain/catalogue/listing/facets.ts';
import { runListing, type ListingResult } from '#domain/catalogue/listing/listing-query.ts';
import type { SearchResult } from '#domain/catalogue/listing/listing-search.ts';
import {
  productsPerPage,
  wholeCatalogue,
  type ListingFilters,
} from '#domain/catalogue/listing/listing.ts';
import { categories } from '#domain/catalogue/category.ts';
import { fetchCardFiles, fetchIndex, fetchSearchFile } from '#services/catalogue/fetch-listing.ts';
import { forgetSheetEntry, isSheetEntry } from '#services/close-on-back.ts';
import { afterPaint } from '#elements/motion/after-paint.ts';
import { CardList } from './card-list.ts';
import { FacetDialog } from './facet-dialog.ts';
import { createCardDrawer } from './listing-cards.ts';
import { fillForm, readForm } from './listing-form.ts';
import { revealCards } from './listing-state.ts';
import { drawSummary } from './listing-summary.ts';
import { focusCard, restoreScrollPosition, storedCount } from './scroll-position.ts';

/** Fetches the index that the page names and takes the page over. Throws when it cannot be fetched. */
export async function createListingView(host: HTMLElement): Promise<ListingView> {
  const { indexFile = '', cardFiles = '' } = host.dataset;
  return new ListingView(
    host,
    ...(await Promise.all([fetchIndex(indexFile), fetchCardFiles(cardFiles)])),
  );
}

type CardPlace = Partial<{ start: number; count: number; rowsFirst: boolean }>;

/** Search, category, facets, sort order and cards over the whole catalogue. The address always matches what is shown. */
export class ListingView {
  readonly #host: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #products: readonly IndexedProduct[];
  readonly #cards: CardList;
  readonly #drawCard: (position: number) => HTMLElement;
  readonly #facets: FacetDialog;
  readonly #withdrawn = new Set<number>();
  #search: Promise<(search: string) => SearchResult> | null = null;
  #listing: ListingFilters;
  #result: ListingResult;
  /** A change of the form that is not drawn yet. */
  #pending: 'typing' | 'choice' | null = null;
  #lastStep = '';

  constructor(
    host: HTMLElement,
    products: readonly IndexedProduct[],
    cardFiles: readonly string[],
  ) {
    const form = host.querySelector('form');
    const list = host.querySelector<HTMLElement>('[data-cards]');
    if (!form || !list) throw new Error('The listing has no form or no list');
    [this.#host, this.#form, this.#products] = [host, form, products];
    const { category, page } = host.dataset;
    this.#listing = {
      ...wholeCatalogue,
      category: categories.find((known) => known === category) ?? 'all',
    };
    this.#result = runListing(products, this.#listing);
    this.#drawCard = createCardDrawer(host, products, cardFiles);
    this.#cards = new CardList(list, this.#drawCard);
    this.#cards.adopt(this.#result.positions, (Number(page) - 1) * productsPerPage);
    this.#facets = new FacetDialog(
      host,
      runListing(products, wholeCatalogue).countFacets(),
      products,
    );
    if (!this.#facets.isOpen) forgetSheetEntry();
    // The address is that of the choice before the entry of the sheet is dropped.
    host.querySelector('dialog')?.addEventListener('close', () => {
      if (this.#pending === null) return;
      this.#listing = readForm(this.#form, this.#listing);
      this.#writeAddress(this.#pending);
    });
    const input = form.querySelector('input');
    const prepare = (): void => {
      this.#loadSearch().catch((error: unknown) => {
        console.info('Search could not be loaded yet', error);
      });
    };
    if (input === document.activeElement) prepare();
    else input?.addEventListener('focus', prepare, { once: true });
  }

  /** Loads the search library, texts and words, which visitors who only browse or filter do not need. */
  #loadSearch(): Promise<(search: string) => SearchResult> {
    this.#search ??= Promise.all([
      import('#domain/catalogue/listing/listing-search.ts'),
      fetchSearchFile(this.#host.dataset['searchFile'] ?? ''),
    ]).then(
      ([{ createSearch }, file]) => createSearch(this.#products, file),
      (error: unknown) => {
        this.#search = null;
        throw error;
      },
    );
    return this.#search;
  }

  /** Shows the listing of an address, at the position of its history entry. */
  async show({ listing, page }: ListingAddress): Promise<void> {
    this.#pending = null;
    this.#listing = listing;
    fillForm(this.#form, listing);
    await this.#draw({ start: (page - 1) * productsPerPage, count: storedCount() });
    restoreScrollPosition(this.#host);
  }

  /** Shows a listing that the customer requested before this code was loaded. */
  async choose(listing: ListingFilters): Promise<void> {
    this.#listing = listing;
    this.#writeAddress('choice');
    await this.#draw();
  }

  /** Shows the listing of the form: the letter or the tick itself at once, its results with the next frame. */
  update(by: 'typing' | 'choice'): Promise<void> {
    this.#pending = by;
    return new Promise((resolve, reject) => {
      afterPaint(() => {
        this.#applyForm().then(resolve, reject);
      });
    });
  }

  async #applyForm(): Promise<void> {
    const by = this.#pending;
    if (by === null) return;
    this.#pending = null;
    this.#listing = readForm(this.#form, this.#listing);
    // A new history entry makes the browser lay out the page, which is cheap before the cards change.
    this.#writeAddress(by);
    await this.#draw({ rowsFirst: true });
  }

  /** Performs the action of a button or link. */
  async act(action: string, control: HTMLElement): Promise<void> {
    await this.#applyForm();
    const { facets } = this.#listing;
    if (action === 'filter') this.#facets.draw(this.#listing, this.#result);
    if (action === 'more') {
      const first = this.#cards.addMore();
      this.#drawSteps();
      focusCard(first);
    }
    if (action === 'remove') {
      const name = facetNames.find((known) => known === control.dataset['facet']) ?? 'metal';
      const values = facets[name].filter((value) => value !== control.dataset['value']);
      await this.#change({ facets: { ...facets, [name]: values } });
      this.#host
        .querySelector<HTMLElement>('[data-chosen] button, [data-action="filter"]')
        ?.focus();
    }
    if (action === 'offers')
      await this.#change({
        facets: { ...facets, offers: facets.offers.length > 0 ? [] : [onOffer] },
      });
    if (action === 'all')
      await this.#change({ category: 'all', facets: { ...facets, offers: [] } });
    if (action === 'clear-facets') await this.#change({ facets: wholeCatalogue.facets });
    if (action === 'clear') {
      await this.#change({ ...wholeCatalogue, sort: this.#listing.sort });
      this.#form.querySelector<HTMLElement>('input')?.focus();
    }
  }

  async #change(changes: Partial<ListingFilters>): Promise<void> {
    this.#listing = { ...this.#listing, ...changes };
    fillForm(this.#form, this.#listing);
    this.#writeAddress('choice');
    await this.#draw();
  }

  /**
   * Counts products no more that were withdrawn since the build: `current-stock` marks their cards. Those on the screen keep their places
   * until the customer chooses other cards.
   */
  async leaveOutWithdrawn(): Promise<void> {
    await this.#applyForm();
    for (const position of this.#cards.positionsWith('[data-gone]')) this.#withdrawn.add(position);
    await this.#draw(
      this.#result.positions.some((position) => !this.#withdrawn.has(position))
        ? null
        : this.#cards,
    );
  }

  /**
   * @param place which cards of the result to show; null leaves the cards as they are
   * @throws when the search cannot be loaded
   */
  async #draw(place: CardPlace | null = {}): Promise<void> {
    const listing = this.#listing;
    const search = listing.search.trim() === '' ? null : (await this.#loadSearch())(listing.search);
    // Loading took a while, and a newer choice is drawn by its own call.
    if (listing !== this.#listing) return;
    this.#result = runListing(this.#products, listing, {
      rankOf: (position) =>
        this.#withdrawn.has(position) ? null : search === null ? 0 : search.rankOf(position),
      lacksSize: (position) => search?.lacksSize(position) === true,
    });
    const { positions } = this.#result;
    if (place) {
      const { start = 0, count = productsPerPage, rowsFirst = false } = place;
      this.#cards.show(positions, start, count, rowsFirst);
    }
    this.#facets.draw(listing, this.#result);
    this.#drawSteps();
    this.#drawSuggestions(positions.length === 0);
    drawSummary(this.#host, {
      shown: positions.length,
      search: listing.search,
      total: this.#products.length - this.#withdrawn.size,
      corrected: search?.corrected ?? null,
      answer: search?.answer ?? null,
      nearest: search?.nearest ?? null,
      facets: listing.facets,
      category: listing.category,
    });
    revealCards();
  }

  /** Shows the featured products below a result without products. The page names their positions. */
  #drawSuggestions(isEmpty: boolean): void {
    const section = this.#host.querySelector<HTMLElement>('[data-suggestions]');
    const list = section?.querySelector('ul');
    if (!section || !list) return;
    section.hidden = !isEmpty;
    if (!isEmpty || list.childElementCount > 0) return;
    const positions = (this.#host.dataset['suggested'] ?? '').split(' ').map(Number);
    list.append(...positions.map((position) => this.#drawCard(position)));
  }

  #drawSteps(): void {
    const { start, hasMore } = this.#cards;
    const earlier = this.#host.querySelector<HTMLElement>('[data-step="earlier"]');
    const more = this.#host.querySelector<HTMLElement>('[data-step="more"]');
    if (more) more.hidden = !hasMore;
    if (!earlier) return;
    earlier.hidden = start === 0;
    const link = earlier.querySelector('a');
    if (link && start > 0)
      link.href = builtPagePath(this.#listing.category, start / productsPerPage);
  }

  /** Every choice is one history entry; typing one search term, or ticking boxes in one opened dialog, is a single entry. */
  #writeAddress(by: 'typing' | 'choice'): void {
    const { isOpen, openings } = this.#facets;
    const step = by === 'typing' || isOpen ? `${by} ${String(openings)}` : '';

    const { view } = readListingAddress(location);
    const address = listingAddress({ listing: this.#listing, view, page: 1 });
    if (new URL(address, location.href).href === location.href) return;
    // An open dialog has the entry of its choices already.
    if (isSheetEntry() || (step !== '' && step === this.#lastStep))
      history.replaceState(history.state, '', address);
    else {
      history.pushState(null, '', address);
      history.scrollRestoration = 'manual';
    }
    this.#lastStep = step;
  }
}
