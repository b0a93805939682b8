import { productsPerPage } from '#domain/catalogue/listing/listing.ts';
import { afterPaint } from '#elements/motion/after-paint.ts';

/** The number of cards in the first rows, more than a screen shows: four rows on a phone, three on a desktop. */
const firstCards = (): number => (innerWidth < 768 ? 8 : 12);

/** The cards of a result in the document: `count` of them from `start` on. */
export class CardList {
  readonly #list: HTMLElement;
  readonly #draw: (position: number) => HTMLElement;
  readonly #items = new Map<number, HTMLElement>();
  #positions: readonly number[] = [];
  start = 0;
  count = 0;

  constructor(list: HTMLElement, draw: (position: number) => HTMLElement) {
    this.#list = list;
    this.#draw = draw;
  }

  get hasMore(): boolean {
    return this.start + this.count < this.#positions.length;
  }

  /** Positions of the cards that have an element for this selector. */
  positionsWith(selector: string): number[] {
    return [...this.#items]
      .filter(([, item]) => item.querySelector(selector))
      .map(([position]) => position);
  }

  /** Adopts the cards of the built page. */
  adopt(positions: readonly number[], start: number): void {
    const built = [...this.#list.children].filter((item) => item instanceof HTMLElement);
    [this.#positions, this.start, this.count] = [positions, start, built.length];
    for (const [index, item] of built.entries())
      this.#items.set(positions[start + index] ?? -1, item);
  }

  /** Shows other results. With `rowsFirst` the cards after the first rows are drawn when those have been painted. */
  show(positions: readonly number[], start: number, count: number, rowsFirst = false): void {
    [this.#positions, this.start] = [positions, start];
    this.count = Math.min(count, Math.max(0, positions.length - start));
    const inParts = rowsFirst && this.#list.getBoundingClientRect().top > 0;
    this.#place(inParts ? firstCards() : this.count);
    if (inParts)
      afterPaint(() => {
        this.#place(this.count);
      });
  }

  /** Adds the next page. Returns its first card. */
  addMore(): HTMLElement | undefined {
    const end = this.start + this.count;
    this.show(this.#positions, this.start, this.count + productsPerPage);
    return this.#items.get(this.#positions[end] ?? -1);
  }

  #place(count: number): void {
    const shown = this.#positions.slice(this.start, this.start + Math.min(count, this.count));
    const kept = new Set(shown);
    for (const [position, item] of this.#items) {
      if (kept.has(position)) continue;
      item.remove();
      this.#items.delete(position);
    }
    // Moving a card costs its style and layout, so only cards in another place are moved.
    let next = this.#list.firstElementChild;
    for (const position of shown) {
      const item = this.#items.get(position) ?? this.#draw(position);
      this.#items.set(position, item);
      if (item === next) next = item.nextElementSibling;
      else this.#list.insertBefore(item, next);
    }
  }
}
