import { showToast } from '#stores/toasts.ts';

/** Shares this page by the device's own sheet, or copies its link where there is none. */
class ShareButton extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', () => void sharePage());
  }
}

async function sharePage(): Promise<void> {
  const { title } = document;
  const url =
    document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? location.href;
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url });
      showToast('Link shared');
      return;
    } catch (error) {
      // Closing the sheet is no failure. On any other error, copy the link.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast('Link copied');
  } catch {
    showToast('Copy failed', { tone: 'destructive' });
  }
}

customElements.define('share-button', ShareButton);
