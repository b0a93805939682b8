import { imageAddress, isResizable, sizedImage } from '../../domain/image.ts';
import { recentlyViewedExcept, type RecentlyViewedProduct } from '../../domain/catalogue/recently-viewed.ts';
import { environment } from '../../services/environment.ts';
import { fetchLiveProducts } from '../../services/catalogue/current-catalogue.ts';
import { removeRecentlyViewed, recentlyViewedProducts } from '../../services/storage/stored-recently-viewed.ts';
import { updateProductMarkup } from '../site/product-markup.ts';

/** Fills the section with small cards of the products viewed before this one, at their current price. */
export async function showRecentlyViewed(section: HTMLElement, id: string): Promise<void> {
  const viewed = recentlyViewedExcept(recentlyViewedProducts(), id);
  const cards = new Map(viewed.map((product) => [product.id, drawCard(product)]));
  section.querySelector('ul')?.replaceChildren(...cards.values());
  try {
    const products = new Map((await fetchLiveProducts([...cards.keys()])).map((product) => [product.id, product]));
    const gone = new Set([...cards.keys()].filter((known) => !products.has(known)));
    removeRecentlyViewed(gone);
    for (const [known, card] of cards) {
      const product = products.get(known);
      const root = card.querySelector<HTMLElement>('[data-product-view]');
      const name = card.querySelector('.card-name a');
      if (product && root && name) {
        name.textContent = product.name;
        updateProductMarkup(root, product);
      } else card.remove();
    }
    section.hidden = gone.size === cards.size;
  } catch (error) {
    console.info('Live prices are not to be had', error);
  }
}

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, ...children: (Node | string)[]) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

function drawCard(product: RecentlyViewedProduct): HTMLLIElement {
  const href = `/product/${encodeURIComponent(product.id)}`;
  const address = imageAddress(product.image, environment.supabaseUrl);
  const image = new Image(330, 330);
  image.alt = '';
  image.loading = 'lazy';
  image.decoding = 'async';
  image.sizes = '(min-width: 1024px) 22vw, (min-width: 768px) 30vw, 45vw';
  if (isResizable(address)) image.srcset = [330, 640].map((width) => `${sizedImage(address, width, 'webp')} ${String(width)}w`).join(', ');
  image.src = sizedImage(address, 330, 'webp');
  // The name beside it is the same link.
  const picture = Object.assign(make('a', 'card-picture tile', image), { href, tabIndex: -1, ariaHidden: 'true' });
  const name = make('h3', 'card-name', Object.assign(make('a', '', product.name), { href }));
  const price = make('p', 'price', make('span', 'visually-hidden', 'Price'), make('span', ''), make('s', 'price-was'));
  const [, now, was] = price.children;
  now?.setAttribute('data-price-now', '');
  was?.setAttribute('data-price-was', '');
  const card = make('article', 'card', picture, name, price);
  card.dataset['productView'] = '';
  card.dataset['id'] = product.id;
  updateProductMarkup(card, { ...product, stock: 1 });
  return make('li', '', card);
}
