import { chosenFacets, type ListingResult } from '../../domain/catalogue/listing-query.ts';
import { productsPerPage, wholeCatalogue, type Listing } from '../../domain/catalogue/listing.ts';
import {
  listingAddress,
  readListingAddress,
  type ListingAddress,
} from '../../domain/catalogue/listing-address.ts';
import { categories } from '../../domain/catalogue/product.ts';
import { afterPaint } from '../site/after-paint.ts';
import { CardWindow } from './card-window.ts';
import { FacetDialog } from './facet-dialog.ts';
import { fillForm, readFacets, readForm } from './listing-form.ts';
import { openCardDrawer } from './listing-cards.ts';
import { drawSummary } from './listing-summary.ts';
import { keptCard, restoreScrollPosition } from './scroll-position.ts';
import { WholeCatalogue } from './whole-catalogue.ts';

/** Fetches the index that the page names, and takes the page over. Throws when it cannot be had. */
export async function openListingView(host: HTMLElement): Promise<ListingView> {
  // The order that is asked for is part of what is waited for; another one is fetched when it is chosen.
  const sort = host.querySelector<HTMLSelectElement>('select[name="sort"]')?.value;
  return new ListingView(
    host,
    await WholeCatalogue.open(host.dataset['version'] ?? '', sort === 'latest'),
  );
}

/** Search, category, facets, order and the window of cards, over the whole catalogue. The address says what is shown. */
export class ListingView {
  readonly #host: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #catalogue: WholeCatalogue;
  readonly #cards: CardWindow;
  readonly #facets: FacetDialog;
  #listing: Listing;
  #result: ListingResult;
  #page = 1;
  #written = '';
  /** What the shopper did to the form that is not shown yet. */
  #unshown: 'typing' | 'choice' | null = null;

  constructor(host: HTMLElement, catalogue: WholeCatalogue) {
    const [form, list] = [
      host.querySelector('form'),
      host.querySelector<HTMLElement>('[data-cards]'),
    ];
    if (!form || !list) throw new Error('The listing has no form or no list');
    [this.#host, this.#form, this.#catalogue] = [host, form, catalogue];
    this.#listing = {
      ...wholeCatalogue,
      category: categories.find((known) => known === host.dataset['category']) ?? 'all',
    };
    this.#result = catalogue.run(this.#listing);
    this.#cards = new CardWindow(list, openCardDrawer(host, catalogue.columns, catalogue.version));
    this.#cards.adopt(this.#result.positions, Number(list.dataset['start'] ?? 0));
    this.#page = this.#cards.page;
    this.#facets = new FacetDialog(host, catalogue.run(wholeCatalogue).countFacets());
    // From here on every card has its true height: those out of sight, too.
    host.dataset['awake'] = '';
    let frame = 0;
    window.addEventListener(
      'scroll',
      () => {
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          this.scrolled();
        });
      },
      { passive: true },
    );
  }

  /** Shows what an address asks for; `touched` when the shopper has asked for something else meanwhile. */
  show({ listing, page }: ListingAddress, touched: boolean): void {
    this.#unshown = null;
    this.#listing = listing;
    fillForm(this.#form, listing);
    const card = touched ? null : keptCard();
    this.#draw(card === null ? page : Math.floor(card / productsPerPage) + 1);
    if (touched) this.#writeAddress('choice');
    else restoreScrollPosition(this.#host);
  }

  /** Shows what the form asks for: the letter or the tick itself at once, its results with the next frame. */
  update(by: 'typing' | 'choice'): void {
    this.#unshown = by;
    afterPaint(() => {
      this.#catchUp();
    });
  }

  #catchUp(): void {
    const by = this.#unshown;
    if (by === null) return;
    this.#unshown = null;
    this.#listing = {
      ...readForm(this.#form, this.#listing),
      facets: readFacets(this.#form, this.#listing.facets),
    };
    // A new entry of the history has the page laid out: before the cards change, that costs nothing.
    this.#page = 1;
    this.#writeAddress(by);
    this.#draw(1, 'rows first');
  }

  act(action: string, control: HTMLElement): void {
    this.#catchUp();
    if (action === 'filter') this.#facets.draw(this.#listing, this.#result);
    if (action === 'more')
      this.#cards
        .addMore()
        ?.querySelector<HTMLElement>('.card-name a')
        ?.focus({ preventScroll: true });
    if (action === 'earlier') this.#cards.addEarlier();
    if (action === 'more' || action === 'earlier') this.#drawSteps();
    const { facets } = this.#listing;
    if (action === 'remove') {
      const { facet, value } = control.dataset;
      this.#change({
        facets: {
          ...facets,
          ...Object.fromEntries(
            Object.entries(facets).map(([name, values]) => [
              name,
              name === facet ? values.filter((each) => each !== value) : values,
            ]),
          ),
        },
      });
      this.#host
        .querySelector<HTMLElement>('[data-chosen] button, [data-action="filter"]')
        ?.focus();
    }
    if (action === 'clear-facets') this.#change({ facets: wholeCatalogue.facets });
    if (action === 'clear') {
      this.#change({ ...wholeCatalogue, sort: this.#listing.sort });
      this.#form.querySelector<HTMLElement>('input')?.focus();
    }
  }

  #change(changes: Partial<Listing>): void {
    this.#listing = { ...this.#listing, ...changes };
    fillForm(this.#form, this.#listing);
    this.#draw();
    this.#writeAddress('choice');
  }

  /** Products that were taken out of the catalogue since the build: their cards are marked by `live-stock`. */
  leaveOutWithdrawn(): void {
    this.#catchUp();
    const items = [...this.#host.querySelectorAll<HTMLElement>('[data-cards] > li')];
    const start = Number(
      this.#host.querySelector<HTMLElement>('[data-cards]')?.dataset['start'] ?? 0,
    );
    const shown = this.#result.positions;
    for (const [index, item] of items.entries()) {
      if (item.querySelector('[data-gone]')) this.#catalogue.withdraw(shown[start + index] ?? -1);
    }
    this.#draw(this.#page);
  }

  /** Adds cards near the end of the window, and notes the page of the results that is in view. */
  scrolled(): void {
    this.#catchUp();
    this.#cards.scrolled();
    this.#drawSteps();
    if (this.#cards.page === this.#page) return;
    this.#page = this.#cards.page;
    history.replaceState(history.state, '', this.#address());
  }

  #draw(page = 1, order?: 'rows first'): void {
    if (!this.#catalogue.canOrder(this.#listing)) {
      this.#fetchAges(page);
      return;
    }
    this.#result = this.#catalogue.run(this.#listing);
    this.#cards.show(this.#result.positions, page, order !== undefined);
    this.#page = page;
    this.#facets.draw(this.#listing, this.#result);
    this.#drawSteps();
    const searching = this.#catalogue.isSearching(this.#listing);
    drawSummary(this.#host, {
      ...{ shown: this.#result.positions.length, total: this.#catalogue.count },
      ...{ corrected: this.#result.corrected, searching, chosen: chosenFacets(this.#listing) },
    });
    // Names and categories are searched at once; the descriptions are large, and come with the first search.
    if (searching)
      void this.#catalogue.fetchDescriptions()?.then(() => {
        this.#draw(this.#page);
      });
  }

  /** The order by age comes with its first choice; until then the cards stay as they are. */
  #fetchAges(page: number): void {
    this.#catalogue.fetchAges().then(
      () => {
        if (this.#listing.sort === 'latest') this.#draw(page);
      },
      (error: unknown) => {
        console.info('The latest cannot be told', error);
      },
    );
  }

  #drawSteps(): void {
    const steps = { earlier: this.#cards.hasEarlier, more: this.#cards.hasMore };
    for (const [name, shown] of Object.entries(steps)) {
      const step = this.#host.querySelector<HTMLElement>(`[data-step="${name}"]`);
      if (step) step.hidden = !shown;
    }
  }

  #address(): string {
    return listingAddress({
      ...readListingAddress(location),
      listing: this.#listing,
      page: this.#page,
    });
  }

  /** Each choice is a step that 'back' takes back; the letters of one search, or the boxes ticked in one dialog, are one. */
  #writeAddress(by: 'typing' | 'choice'): void {
    const step =
      by === 'typing' || this.#facets.isOpen ? `${by} ${String(this.#facets.openings)}` : '';
    const address = this.#address();
    if (step !== '' && step === this.#written) history.replaceState(history.state, '', address);
    else {
      history.pushState(null, '', address);
      history.scrollRestoration = 'manual';
    }
    this.#written = step;
  }
}
