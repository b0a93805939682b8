import {
  isBuiltPage,
  listingAddress,
  readListingAddress,
  type ListingAddress,
} from '../../domain/catalogue/listing-address.ts';
import { chooseView, fillForm, isTouched, readForm } from './listing-form.ts';
import type { ListingView } from './listing-view.ts';
import '../site/products.ts';
import { keepScrollPosition, restoreScrollPosition } from './scroll-position.ts';

/**
 * The listing of /shop and its categories. The page has its first cards; the index of the whole catalogue, and the code
 * that works with it, come when somebody first reaches for a control or for more cards, or opens an address that needs them.
 */
class ShopListing extends HTMLElement {
  #opening: Promise<ListingView> | null = null;

  connectedCallback(): void {
    const reach = (): void => {
      void this.#open();
    };
    for (const kind of ['focusin', 'pointerover', 'pointerdown'])
      this.form.addEventListener(kind, reach, { once: true, passive: true });
    this.addEventListener('input', ({ target }) => {
      const typing = target instanceof HTMLInputElement && target.type === 'search';
      void this.#withView((view) => {
        view.update(typing ? 'typing' : 'choice');
      });
    });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      this.querySelector('dialog')?.close();
    });
    this.addEventListener('click', (event) => {
      this.#act(event);
    });
    document.addEventListener('products-changed', () => {
      if (this.querySelector('[data-gone]'))
        void this.#withView((view) => {
          view.leaveOutWithdrawn();
        });
    });
    window.addEventListener('popstate', () => {
      this.#readAddress();
    });
    keepScrollPosition(this);
    this.#readAddress();
    new IntersectionObserver(
      ([entry], observer) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        // With the code, the scrolling that brought the shopper here brings the next cards.
        void this.#withView((view) => {
          view.scrolled();
        }, 'quietly');
      },
      { rootMargin: '1200px 0px' },
    ).observe(this.querySelector('[data-step="more"]') ?? this);
  }

  get form(): HTMLFormElement {
    const form = this.querySelector('form');
    if (!form) throw new Error('The listing has no form');
    return form;
  }

  /** Brings the page to its address, but for what was chosen before this script had come. */
  #readAddress(): void {
    const address = readListingAddress(location);
    const touched = !this.#opening && isTouched(this.form);
    if (touched)
      address.listing = { ...address.listing, ...readForm(this.form, address.listing, 'touched') };
    fillForm(this.form, address.listing);
    chooseView(this, address.view);
    if (this.#opening || touched || !this.#isShown(address)) {
      void this.#withView((view) => {
        view.show(address, touched);
      });
      return;
    }
    restoreScrollPosition(this);
    this.#settle();
  }

  #isShown({ listing, page }: ListingAddress): boolean {
    const { category, page: built } = this.dataset;
    return isBuiltPage(listing) && listing.category === category && String(page) === built;
  }

  #open(): Promise<ListingView> {
    this.#opening ??= import('./listing-view.ts').then(async ({ openListingView }) =>
      openListingView(this),
    );
    return this.#opening;
  }

  /** Runs something on the listing, as soon as it is there. When it does not come, the page says so, and the next try is a new one. */
  async #withView(run: (view: ListingView) => void, quietly?: 'quietly'): Promise<void> {
    let view: ListingView;
    try {
      view = await this.#open();
    } catch (error) {
      this.#opening = null;
      this.#settle();
      // The page is of a build that is gone: its address has all that was chosen.
      if (error instanceof Error && error.name === 'ListingGoneError') location.reload();
      else if (!quietly)
        this.#say('The whole catalogue cannot be reached at the moment. Please try again.');
      return;
    }
    // First, though nothing is drawn in between: what is hidden takes no focus.
    this.#settle();
    run(view);
  }

  #act(event: MouseEvent): void {
    const control =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action]') : null;
    const action = control?.dataset['action'];
    if (!control || action === undefined || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    if (action === 'grid' || action === 'list') {
      chooseView(this, action);
      history.replaceState(
        history.state,
        '',
        listingAddress({ ...readListingAddress(location), view: action }),
      );
    } else if (action === 'close') this.querySelector('dialog')?.close();
    else {
      if (action === 'filter') this.querySelector('dialog')?.showModal();
      void this.#withView((view) => {
        view.act(action, control);
      });
    }
  }

  #say(text: string): void {
    const note = this.querySelector<HTMLElement>('[data-note]');
    if (!note) return;
    note.textContent = text;
    note.hidden = text === '';
  }

  /** The cards are what the address asks for, or will not be. */
  #settle(): void {
    delete document.documentElement.dataset['listing'];
  }
}

customElements.define('shop-listing', ShopListing);
