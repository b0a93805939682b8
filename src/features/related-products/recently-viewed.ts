import { imageAddress, isResizable, sizedImage } from '#domain/image.ts';
import { recentlyViewedExcept, type RecentlyViewedProduct } from './domain/recently-viewed.ts';
import * as environment from '#services/environment.ts';
import { fetchCurrentProducts } from '#services/catalogue/current-catalogue.ts';
import { removeRecentlyViewed, recentlyViewedProducts } from './stored-recently-viewed.ts';
import { updateProductMarkup } from '#elements/site/product-markup.ts';

/** Fills the section with small cards of the products viewed before this one, at their current price. */
export async function showRecentlyViewed(section: HTMLElement, id: string): Promise<void> {
  const blank = section.querySelector<HTMLTemplateElement>('[data-card]');
  if (!blank) return;
  const viewed = recentlyViewedExcept(recentlyViewedProducts(), id);
  const cards = new Map<string, Element>();
  for (const product of viewed) {
    const card = fillCard(blank, product);
    if (card) cards.set(product.id, card);
  }
  section.querySelector('ul')?.replaceChildren(...cards.values());
  try {
    const products = new Map(
      (await fetchCurrentProducts([...cards.keys()])).map((product) => [product.id, product]),
    );
    const gone = new Set([...cards.keys()].filter((known) => !products.has(known)));
    removeRecentlyViewed(gone);
    for (const [known, card] of cards) {
      const product = products.get(known);
      const root = card.querySelector<HTMLElement>('[data-product-view]');
      const name = card.querySelector('.card-name a');
      if (!root || !name) continue;
      if (product) {
        name.textContent = product.name;
        updateProductMarkup(root, product);
      } else root.dataset['gone'] = '';
    }
  } catch (error) {
    console.info('No live prices', error);
  }
}

/** A card of `RecentlyViewed.astro` with what is known of the product. */
function fillCard(blank: HTMLTemplateElement, product: RecentlyViewedProduct): Element | null {
  const item = document.importNode(blank.content, true).firstElementChild;
  const card = item?.querySelector<HTMLElement>('[data-product-view]');
  const image = item?.querySelector('img');
  const name = item?.querySelector('.card-name a');
  if (!item || !card || !image || !name) return null;
  for (const link of item.querySelectorAll('a'))
    link.href = `/product/${encodeURIComponent(product.id)}`;
  const address = imageAddress(product.image, environment.supabaseUrl);
  if (isResizable(address)) {
    image.sizes = blank.dataset['sizes'] ?? '';
    image.srcset = [330, 640]
      .map((width) => `${sizedImage(address, width, 'webp')} ${String(width)}w`)
      .join(', ');
  }
  image.src = sizedImage(address, 330, 'webp');
  name.textContent = product.name;
  card.dataset['id'] = product.id;
  updateProductMarkup(card, { ...product, stock: 1 });
  return item;
}
