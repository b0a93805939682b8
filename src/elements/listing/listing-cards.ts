import type { Columns } from '../../domain/catalogue/catalogue-index.ts';
import type { CardDetails } from '../../domain/catalogue/listing-cards.ts';
import { categories } from '../../domain/catalogue/product.ts';
import { fetchCards } from '../../services/catalogue/fetch-listing.ts';
import { updateProductMarkup } from '../site/product-markup.ts';
import { fillProductCard, showCategory } from './product-card.ts';

/**
 * Draws the card of a position of the index. Name, category and price are there at once; picture, description and link come
 * with the file that has them, and until then the card cannot be used.
 */
export function openCardDrawer(
  host: HTMLElement,
  columns: Columns,
  version: string,
): (position: number) => HTMLElement {
  const template =
    host.querySelector<HTMLTemplateElement>('template[data-card]')?.content.firstElementChild;
  const files = new Map<number, Promise<CardDetails[]>>();
  const arrived = new Map<number, CardDetails[]>();

  const fileOf = async (file: number): Promise<CardDetails[]> => {
    const known = files.get(file) ?? fetchCards(version, file);
    files.set(file, known);
    try {
      const cards = await known;
      arrived.set(file, cards);
      return cards;
    } catch (error) {
      // Asked for again with the next card of it.
      files.delete(file);
      throw error;
    }
  };

  return (position) => {
    const item = template?.cloneNode(true);
    const card = item instanceof HTMLElement ? item.querySelector('article') : null;
    if (!(item instanceof HTMLElement) || !card) throw new Error('The page has no blank card');
    drawKnown(card, columns, position);
    const [file, place] = [
      Math.floor(position / columns.cardsPerFile),
      position % columns.cardsPerFile,
    ];
    const details = arrived.get(file)?.[place];
    if (details) {
      fillCard(card, columns, position, details);
      return item;
    }
    card.inert = true;
    card.ariaBusy = 'true';
    fileOf(file).then(
      (cards) => {
        const found = cards[place];
        if (found) fillCard(card, columns, position, found);
      },
      (error: unknown) => {
        if (error instanceof Error && error.name === 'ListingGoneError') location.reload();
        else console.info('Cards are not to be had', error);
      },
    );
    return item;
  };
}

const pricesOf = (
  { prices, charged }: Columns,
  position: number,
): { price: number; offerPrice: number | null } => {
  const [price = 0, now = 0] = [prices[position], charged[position]];
  return { price, offerPrice: now === price ? null : now };
};

/** What the index knows. */
function drawKnown(card: HTMLElement, columns: Columns, position: number): void {
  showCategory(card, categories[columns.categories[position] ?? 0] ?? categories[0]);
  const name = card.querySelector('.card-name a');
  if (name) name.textContent = columns.names[position] ?? '';
  // In stock, but nobody knows how much yet: enough for no badge.
  updateProductMarkup(card, {
    ...pricesOf(columns, position),
    stock: position < columns.available ? 99 : 0,
  });
}

/** What the file of cards has. */
function fillCard(
  card: HTMLElement,
  columns: Columns,
  position: number,
  details: CardDetails,
): void {
  fillProductCard(card, {
    ...details,
    ...pricesOf(columns, position),
    name: columns.names[position] ?? '',
  });
  card.inert = false;
  card.ariaBusy = null;
  // Price and stock of this moment: `live-stock` looks after it from here.
  const tell = (): void => {
    card.dispatchEvent(new Event('product-drawn', { bubbles: true }));
  };
  if (card.isConnected) tell();
  else queueMicrotask(tell);
}
