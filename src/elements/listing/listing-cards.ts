import {
  cardsPerFile,
  type CardDetails,
  type IndexedProduct,
} from '#domain/catalogue/listing/catalogue-index.ts';
import { fetchCards } from '#services/catalogue/fetch-listing.ts';
import { updateProductMarkup } from '#elements/site/product-markup.ts';
import { fillProductCard, showCategory } from './product-card.ts';

/**
 * Draws the card of a position in the index. Name, category and price appear at once. Image, description and link follow
 * with the file of cards; until then the card is inert.
 * @param cardFiles the names of the files of cards
 */
export function createCardDrawer(
  host: HTMLElement,
  products: readonly IndexedProduct[],
  cardFiles: readonly string[],
): (position: number) => HTMLElement {
  const template =
    host.querySelector<HTMLTemplateElement>('template[data-card]')?.content.firstElementChild;
  const requests = new Map<number, Promise<CardDetails[]>>();
  const fetched = new Map<number, CardDetails[]>();

  const fetchFile = (file: number): Promise<CardDetails[]> => {
    const request =
      requests.get(file) ??
      fetchCards(cardFiles[file] ?? '').then(
        (cards) => {
          fetched.set(file, cards);
          return cards;
        },
        (error: unknown) => {
          // The next card of this file requests it again.
          requests.delete(file);
          throw error;
        },
      );
    requests.set(file, request);
    return request;
  };

  return (position) => {
    const item = template?.cloneNode(true);
    const card = item instanceof HTMLElement ? item.querySelector('article') : null;
    const product = products[position];
    if (!(item instanceof HTMLElement) || !card || !product)
      throw new Error('The page has no blank card, or the index has no such product');
    const fill = (cards: readonly CardDetails[]): void => {
      const details = cards[position % cardsPerFile];
      if (details) fillCard(card, product, details);
    };
    showCategory(card, product.category);
    const file = Math.floor(position / cardsPerFile);
    const known = fetched.get(file);
    if (known) {
      fill(known);
      return item;
    }
    const name = card.querySelector('.card-name a');
    if (name) name.textContent = product.name;
    // The product is in stock, and its quantity is not known yet: enough to show no badge.
    const { price, offerPrice, inStock } = product;
    updateProductMarkup(card, { price, offerPrice, stock: inStock ? 99 : 0 });
    card.inert = true;
    card.ariaBusy = 'true';
    fetchFile(file).then(fill, (error: unknown) => {
      if (error instanceof Error && error.name === 'ListingGoneError') location.reload();
      else console.info('Cards could not be fetched', error);
    });
    return item;
  };
}

function fillCard(card: HTMLElement, product: IndexedProduct, details: CardDetails): void {
  fillProductCard(card, { ...details, ...product });
  card.inert = false;
  card.ariaBusy = null;
  // `current-stock` fetches the current price and stock of the cards passed to it.
  const notify = (): void => {
    card.dispatchEvent(new Event('product-drawn', { bubbles: true }));
  };
  if (card.isConnected) notify();
  else queueMicrotask(notify);
}
