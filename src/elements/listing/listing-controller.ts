import {
  isBuiltPage,
  listingAddress,
  readListingAddress,
} from '#domain/catalogue/listing/listing-address.ts';
import { productsPerPage } from '#domain/catalogue/listing/listing.ts';
import { historySettled } from '#services/close-on-back.ts';
import { chooseView, fillForm, withFields } from './listing-form.ts';
import { revealCards, showUnreachable, touchedFields } from './listing-state.ts';
import { createListingView, type ListingView } from './listing-view.ts';
import { keepScrollPosition, restoreScrollPosition, storedCount } from './scroll-position.ts';

/**
 * Connects the listing's controls, its URL and the history with the view. The index of the whole catalogue is fetched
 * when a visitor first touches a control, comes near the end of the cards, or opens an address that needs it.
 */
export class ListingController {
  readonly #host: HTMLElement;
  readonly #form: HTMLFormElement;
  #view: Promise<ListingView> | null = null;

  constructor(host: HTMLElement) {
    const form = host.querySelector('form');
    if (!form) throw new Error('The listing has no form');
    [this.#host, this.#form] = [host, form];
    const prepare = (): void => {
      this.#loadView().catch((error: unknown) => {
        console.info('The catalogue could not be fetched yet', error);
      });
    };
    for (const type of ['focusin', 'pointerover', 'pointerdown'])
      form.addEventListener(type, prepare, { once: true, passive: true });
    new IntersectionObserver(
      ([entry], observer) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        prepare();
      },
      { rootMargin: '1200px 0px' },
    ).observe(host.querySelector('[data-step="more"]') ?? host);

    host.addEventListener('input', ({ target }) => {
      const isTyping = target instanceof HTMLInputElement && target.type === 'search';
      void this.#withView((view) => view.update(isTyping ? 'typing' : 'choice'));
    });
    const leaveOutWithdrawn = (): void => {
      if (host.querySelector('[data-gone]'))
        void this.#withView((view) => view.leaveOutWithdrawn());
    };
    document.addEventListener('products-changed', leaveOutWithdrawn);
    window.addEventListener('popstate', () => {
      this.#readAddress();
    });
    keepScrollPosition(host);
    this.#readAddress();
    leaveOutWithdrawn();
    // The interaction that loaded this code may already be with the form.
    if (form.matches(':hover, :focus-within')) prepare();
  }

  /** Applies the URL, and what was chosen before this script loaded. */
  #readAddress(): void {
    const address = readListingAddress(location);
    const touched = this.#view ? {} : touchedFields(this.#host);
    chooseView(this.#host, address.view);
    if (Object.keys(touched).length > 0) {
      const listing = withFields(address.listing, touched);
      fillForm(this.#form, listing);
      void this.#withView((view) => view.choose(listing));
      return;
    }
    fillForm(this.#form, address.listing);
    const { category, page } = this.#host.dataset;
    const isShown =
      !this.#view &&
      isBuiltPage(address.listing) &&
      address.listing.category === category &&
      String(address.page) === page &&
      storedCount() <= productsPerPage;
    if (isShown) {
      restoreScrollPosition(this.#host);
      revealCards();
    } else void this.#withView((view) => view.show(address));
  }

  #loadView(): Promise<ListingView> {
    this.#view ??= createListingView(this.#host).catch((error: unknown) => {
      // The next attempt starts anew.
      this.#view = null;
      throw error;
    });
    return this.#view;
  }

  /** Runs something on the listing as soon as it is loaded. A failure is shown. */
  async #withView(run: (view: ListingView) => Promise<void>): Promise<void> {
    try {
      const view = await this.#loadView();
      await historySettled();
      await run(view);
    } catch (error) {
      if (error instanceof Error && error.name === 'ListingGoneError') this.#openNewBuild();
      else showUnreachable(this.#host);
    }
  }

  /** The page's build no longer exists. Opens the same address of the new one, with the values of the fields. */
  #openNewBuild(): void {
    const touched = touchedFields(this.#host);
    const { listing, view } = readListingAddress(location);
    const address = listingAddress({ listing: withFields(listing, touched), view, page: 1 });
    if (Object.keys(touched).length === 0) location.reload();
    else location.replace(address);
  }

  /** Performs the action of a button or link. */
  act(control: HTMLElement): void {
    const action = control.dataset['action'] ?? '';
    if (action === 'grid' || action === 'list') {
      chooseView(this.#host, action);
      const address = { ...readListingAddress(location), view: action } as const;
      history.replaceState(history.state, '', listingAddress(address));
    } else void this.#withView((view) => view.act(action, control));
  }
}
