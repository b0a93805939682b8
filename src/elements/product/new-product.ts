import { imageAddress, sizedImage } from '#domain/image.ts';
import { factsOf } from '#domain/catalogue/attributes.ts';
import type { Product } from '#domain/catalogue/product.ts';
import * as environment from '#services/environment.ts';
import { updateProductMarkup } from '#elements/site/product-markup.ts';

/** Completes the page of a product that is newer than the build: price and stock, further images, its facts. */
class NewProduct extends HTMLElement {
  connectedCallback(): void {
    const root = this.querySelector<HTMLElement>('[data-product-view]');
    const product = readProduct(this.dataset['product']);
    if (!root || !product) return;
    if (product.images[0] !== undefined) root.dataset['image'] = product.images[0];
    updateProductMarkup(root, product);
    // From here on `updateProductMarkup` alone shows whether few are left.
    root.querySelector('[data-level]')?.removeAttribute('data-level');
    this.#addImages(product);
    this.#addFacts(product);
  }

  /** Slides and thumbnails of all images but the first, which the page came with. */
  #addImages({ images, imageAlts, name }: Product): void {
    const slides = this.querySelector('[data-slides]');
    const first = slides?.firstElementChild;
    const thumbs = this.querySelector<HTMLElement>('[data-thumbs]');
    const firstThumb = thumbs?.firstElementChild;
    if (!slides || !first || !thumbs || !firstThumb || images.length < 2) return;
    for (const [index, entry] of images.entries()) {
      const address = imageAddress(entry, environment.supabaseUrl);
      const thumb = index === 0 ? firstThumb : (firstThumb.cloneNode(true) as HTMLElement);
      fillThumb(thumb, sizedImage(address, 120, 'webp'), index);
      thumbs.append(thumb);
      if (index === 0) continue;
      const slide = first.cloneNode(true) as HTMLElement;
      const link = slide.querySelector('a');
      link?.setAttribute('href', sizedImage(address, 1680, 'webp'));
      link?.setAttribute('aria-label', `Enlarge picture ${String(index + 1)}`);
      const image = slide.querySelector('img');
      if (image) {
        image.loading = 'lazy';
        image.removeAttribute('fetchpriority');
        image.src = sizedImage(address, 840, 'webp');
        image.alt = imageAlts[index] ?? `${name}, picture ${String(index + 1)}`;
      }
      slides.append(slide);
    }
    thumbs.hidden = false;
  }

  #addFacts({ attributes }: Product): void {
    const box = this.querySelector<HTMLElement>('[data-facts]');
    const rows = factsOf(attributes);
    if (!box || rows.length === 0) return;
    box.hidden = false;
    for (const [term, text] of rows) {
      const row = document.createElement('div');
      row.append(
        Object.assign(document.createElement('dt'), { textContent: term }),
        Object.assign(document.createElement('dd'), { textContent: text }),
      );
      box.querySelector('dl')?.append(row);
    }
  }
}

function fillThumb(item: Element, address: string, index: number): void {
  const button = item.querySelector('button');
  if (button) button.ariaLabel = `Show picture ${String(index + 1)}`;
  if (index > 0) button?.removeAttribute('aria-current');
  item.querySelector('img')?.setAttribute('src', address);
}

/** The product that the function wrote, parsed there by `productFromRow`. */
function readProduct(text: string | undefined): Product | null {
  try {
    return JSON.parse(text ?? '') as Product;
  } catch {
    return null;
  }
}

customElements.define('new-product', NewProduct);
