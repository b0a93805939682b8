import '#elements/site/products.ts';
import { onFirstInteraction } from '#elements/site/first-interaction.ts';
import type { ListingController } from './listing-controller.ts';
import { showUnreachable, touchedFields } from './listing-state.ts';

/** There the fields of category and order are in the dialog. */
const onPhone = matchMedia('(max-width: 767px)');

/**
 * The listing of /shop and its categories. The built page shows its first cards without the code of the listing, which loads
 * with the first interaction, or at once for an address or a history entry that needs it.
 */
class ShopListing extends HTMLElement {
  #controller: Promise<ListingController> | null = null;

  connectedCallback(): void {
    const load = (): void => {
      void this.#load();
    };
    this.#placeFields();
    onPhone.addEventListener('change', () => {
      this.#placeFields();
    });
    onFirstInteraction(load);
    for (const type of ['focusin', 'input']) this.addEventListener(type, load);
    const hasWithdrawn = (): boolean => this.querySelector('[data-gone]') !== null;
    document.addEventListener('products-changed', () => {
      if (hasWithdrawn()) load();
    });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      this.querySelector('dialog')?.close();
    });
    this.addEventListener('click', (event) => {
      this.#act(event);
    });
    if (
      location.search !== '' ||
      history.state !== null ||
      Object.keys(touchedFields(this)).length > 0 ||
      // The products' code has a file of its own, which may come first.
      hasWithdrawn()
    )
      load();
  }

  #placeFields(): void {
    const place = this.querySelector(`[data-fields="${onPhone.matches ? 'dialog' : 'bar'}"]`);
    place?.prepend(...this.querySelectorAll('[data-field]'));
    // The chip of a category may be out of sight, at the end of its row.
    const chip = this.querySelector<HTMLElement>(
      '[data-chips] [aria-current]:not([data-value="all"])',
    );
    chip?.parentElement?.scrollTo({ left: chip.offsetLeft - chip.parentElement.offsetLeft });
  }

  /** Loads the code of the listing once. A failure is shown, and the next interaction tries again. */
  async #load(): Promise<ListingController | null> {
    this.#controller ??= import('./listing-controller.ts').then(
      ({ ListingController }) => new ListingController(this),
    );
    try {
      return await this.#controller;
    } catch {
      this.#controller = null;
      showUnreachable(this);
      return null;
    }
  }

  #act(event: MouseEvent): void {
    const control =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action]') : null;
    if (!control || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const dialog = this.querySelector('dialog');
    const { action } = control.dataset;
    if (action === 'close') {
      dialog?.close();
      return;
    }
    if (action === 'category') {
      // A chip is another way to choose in the field, before the code of the listing has come as well.
      const field = this.querySelector<HTMLSelectElement>('[name="category"]');
      if (field) field.value = control.dataset['value'] ?? 'all';
      field?.dispatchEvent(new Event('input', { bubbles: true }));
      return;
    }
    if (action === 'filter' && dialog) {
      dialog.showModal();
      void import('#services/close-on-back.ts').then(({ closeDialogOnBack }) => {
        closeDialogOnBack(dialog);
      });
    }
    void this.#load().then((controller) => controller?.act(control));
  }
}

customElements.define('shop-listing', ShopListing);
