import { drawToast } from '#elements/draw-toast.ts';
import { afterPaint } from '#elements/motion/after-paint.ts';
import { $toasts, dismissToast, type Toast } from '#stores/toasts.ts';
import { hasStoredMessages } from '#services/storage/has-stored-messages.ts';

/**
 * Renders the messages of `$toasts` in a live region, so that screen readers announce them. A message never moves the page: a button
 * that moves is missed by the next press. A modal dialog moves the region into itself and back, so it connects many times in one page.
 */
class ToastRegion extends HTMLElement {
  #stop: (() => void) | undefined;
  readonly #shown = new Map<number, HTMLElement>();

  connectedCallback(): void {
    this.#draw($toasts.get());
    // The message follows its count or tick onto the screen.
    this.#stop = $toasts.listen(() => {
      afterPaint(() => {
        this.#draw($toasts.get());
      });
    });
  }

  disconnectedCallback(): void {
    this.#stop?.();
  }

  #draw(toasts: readonly Toast[]): void {
    for (const [id, element] of this.#shown) {
      if (toasts.some((toast) => toast.id === id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
    for (const toast of toasts) {
      if (this.#shown.has(toast.id)) continue;
      const element = drawToast(toast, () => {
        dismissToast(toast.id);
      });
      this.#shown.set(toast.id, element);
      this.append(element);
    }
    if (toasts.length > 0) this.raise();
  }

  /**
   * Into the top layer, so that a message is not hidden behind a dialog; in a dialog it is there already. Each way up has the
   * browser style the page at once, so the region stays up there, and goes up again only above a dialog that came after it.
   */
  raise(): void {
    if (!('showPopover' in this)) return;
    if (this.closest('dialog')) {
      this.popover = null;
      return;
    }
    const isUp = this.matches(':popover-open');
    if (isUp && document.querySelector('dialog:modal') === null) return;
    if (isUp) this.hidePopover();
    this.popover = 'manual';
    this.showPopover();
  }
}

customElements.define('toast-region', ToastRegion);
// The stored messages are shown once per document, not in `connectedCallback`, which may run again while the page is being left.
// Without a network they wait for the next page.
if (hasStoredMessages())
  import('#elements/lazy/page-messages.ts').then(
    ({ showPageMessages }) => {
      showPageMessages();
    },
    () => undefined,
  );
// It is loaded before the first press needs it, and after all that the page needs to be seen.
window.addEventListener('load', () => {
  document.querySelector<ToastRegion>('toast-region')?.raise();
});
