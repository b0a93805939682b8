import type { Columns } from '../../domain/catalogue/catalogue-index.ts';
import type { CardDetails } from '../../domain/catalogue/listing-cards.ts';
import { categories, categoryLabel } from '../../domain/catalogue/product.ts';
import { fetchCards } from '../../services/catalogue/fetch-listing.ts';
import { pictureFor, pictureLayouts } from '../../services/catalogue/pictures.ts';
import { showChooser, updateProductMarkup } from '../site/product-markup.ts';

/**
 * Draws the card of a position of the index. Name, category and price are there at once; picture, description and link come
 * with the file that has them, and until then the card cannot be used.
 */
export function openCardDrawer(host: HTMLElement, columns: Columns, version: string): (position: number) => HTMLElement {
  const template = host.querySelector<HTMLTemplateElement>('template[data-card]')?.content.firstElementChild;
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
    const [file, place] = [Math.floor(position / columns.cardsPerFile), position % columns.cardsPerFile];
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

const pricesOf = ({ prices, charged }: Columns, position: number): { price: number; offerPrice: number | null } => {
  const [price = 0, now = 0] = [prices[position], charged[position]];
  return { price, offerPrice: now === price ? null : now };
};

/** What the index knows. */
function drawKnown(card: HTMLElement, columns: Columns, position: number): void {
  const category = categories[columns.categories[position] ?? 0] ?? categories[0];
  card.dataset['category'] = category;
  const label = card.querySelector('.card-category');
  if (label) label.textContent = categoryLabel(category);
  const name = card.querySelector('.card-name a');
  if (name) name.textContent = columns.names[position] ?? '';
  // In stock, but nobody knows how much yet: enough for no badge.
  updateProductMarkup(card, { ...pricesOf(columns, position), stock: position < columns.available ? 99 : 0 });
}

/** What the file of cards has. */
function fillCard(card: HTMLElement, columns: Columns, position: number, { id, description, stock, images, sized }: CardDetails): void {
  const name = columns.names[position] ?? '';
  card.dataset['id'] = id;
  if (images[0] === undefined) delete card.dataset['image'];
  else card.dataset['image'] = images[0];
  for (const link of card.querySelectorAll('a')) link.href = `/product/${encodeURIComponent(id)}`;
  const text = card.querySelector('[data-description]');
  if (text) text.textContent = description;
  const picture = pictureFor(images[0], pictureLayouts.card);
  for (const source of card.querySelectorAll('source')) {
    if (picture.avif === null) source.remove();
    else source.srcset = picture.avif;
  }
  const image = card.querySelector<HTMLImageElement>('picture img');
  if (image) image.src = picture.src;
  for (const thumbs of card.querySelectorAll('.card-thumbs')) {
    const blank = thumbs.querySelector('button');
    if (images.length < 2 || !blank) thumbs.remove();
    else thumbs.replaceChildren(...images.map((entry, index) => thumbFor(blank, entry, `Picture ${String(index + 1)} of ${name}`, index === 0)));
  }
  updateProductMarkup(card, { ...pricesOf(columns, position), stock });
  const button = card.querySelector<HTMLButtonElement>('add-to-cart button');
  if (button?.disabled === false) button.ariaLabel = `Add to Cart: ${name}`;
  showChooser(card, sized);
  const choose = card.querySelector('[data-choose]');
  if (choose) choose.ariaLabel = `Choose size: ${name}`;
  card.inert = false;
  card.ariaBusy = null;
  // Price and stock of this moment: `live-stock` looks after it from here.
  const tell = (): void => { card.dispatchEvent(new Event('product-drawn', { bubbles: true })); };
  if (card.isConnected) tell();
  else queueMicrotask(tell);
}

function thumbFor(blank: HTMLButtonElement, entry: string, label: string, pressed: boolean): HTMLButtonElement {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: blank.className, ariaLabel: label, ariaPressed: String(pressed) });
  button.dataset['thumb'] = entry;
  return button;
}
