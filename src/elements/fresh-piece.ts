import { imageAddress, sizedImage } from '../domain/image.ts';
import { factsOf } from '../domain/facts.ts';
import type { Product } from '../domain/product.ts';
import { environment } from '../services/environment.ts';
import { showPiece } from './piece.ts';

/** Completes the page of a piece that is newer than the build: price and stock, further pictures, its facts. */
class FreshPiece extends HTMLElement {
  connectedCallback(): void {
    const root = this.querySelector<HTMLElement>('[data-piece]');
    const product = readProduct(this.dataset['product']);
    if (!root || !product) return;
    root.dataset['created'] = product.createdAt;
    if (product.images[0] !== undefined) root.dataset['image'] = product.images[0];
    showPiece(root, product);
    this.#addPictures(product);
    this.#addFacts(product);
  }

  #addPictures({ images, imageAlts, name }: Product): void {
    const slides = this.querySelector('[data-slides]');
    const first = slides?.firstElementChild;
    for (const [index, entry] of images.entries()) {
      if (index === 0 || !slides || !first) continue;
      const slide = first.cloneNode(true);
      if (!(slide instanceof HTMLElement)) continue;
      const address = imageAddress(entry, environment.supabaseUrl);
      slide.querySelector('a')?.setAttribute('href', address);
      const image = slide.querySelector('img');
      if (image) {
        image.loading = 'lazy';
        image.src = sizedImage(address, 840, 'webp');
        image.alt = imageAlts[index] ?? `${name}, picture ${String(index + 1)}`;
      }
      slides.append(slide);
    }
  }

  #addFacts({ attributes }: Product): void {
    const box = this.querySelector<HTMLElement>('[data-facts]');
    const rows = factsOf(attributes);
    if (!box || rows.length === 0) return;
    box.hidden = false;
    for (const [term, words] of rows) {
      const row = document.createElement('div');
      row.append(Object.assign(document.createElement('dt'), { textContent: term }), Object.assign(document.createElement('dd'), { textContent: words }));
      box.querySelector('dl')?.append(row);
    }
  }
}

/** The product as the function wrote it; it has been through `productFromRow` there. */
function readProduct(text: string | undefined): Product | null {
  try {
    return JSON.parse(text ?? '') as Product;
  } catch {
    return null;
  }
}

customElements.define('fresh-piece', FreshPiece);
