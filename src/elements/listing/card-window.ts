import { productsPerPage } from '../../domain/catalogue/listing.ts';
import { afterPaint } from '../site/after-paint.ts';

/** Cards in the document at most: what is scrolled past gives way, and comes back with the scrolling. */
const maxCards = 4 * productsPerPage;
/** Cards of the first rows, which are more than a screen shows: four rows of a phone, three of a desktop. */
const firstCards = (): number => (innerWidth < 768 ? 8 : 12);
/** So near to the end of the cards, in pixels, the next ones are added. */
const nearEnd = 1_200;

/**
 * The cards of a result of any length, of which the document has a window of whole pages. Cards that leave at the top leave
 * their height behind, so that nothing moves. Scrolling adds cards by itself up to `maxCards`; then it waits for a press,
 * or nobody would ever reach the foot of the page.
 */
export class CardWindow {
  readonly #list: HTMLElement;
  readonly #draw: (position: number) => HTMLElement;
  readonly #items = new Map<number, HTMLElement>();
  #positions: readonly number[] = [];
  #start = 0;
  #end = 0;
  /** Heights of the pages that were scrolled past, the last of them just above the first card. */
  #above: number[] = [];
  #addedByScrolling = 0;
  #lastY = 0;
  /** Where the window ends once the cards after the first rows are drawn. */
  #wantedEnd = 0;

  constructor(list: HTMLElement, draw: (position: number) => HTMLElement) {
    this.#list = list;
    this.#draw = draw;
  }

  /** Takes over the cards that the page was built with: the products at `positions` from `start` on. */
  adopt(positions: readonly number[], start: number): void {
    const built = [...this.#list.children].filter((item) => item instanceof HTMLElement);
    [this.#positions, this.#start, this.#end] = [positions, start, start + built.length];
    for (const [index, item] of built.entries())
      this.#items.set(positions[start + index] ?? -1, item);
  }

  /**
   * Shows other results, from a page on (counted from 1). Cards that are there already stay as they are. `rowsFirst`: where the
   * list begins on the screen, the first rows are drawn now and the others when they have been painted.
   */
  show(positions: readonly number[], page = 1, rowsFirst = false): void {
    this.#positions = positions;
    this.#addedByScrolling = 0;
    const last = Math.max(0, Math.ceil(positions.length / productsPerPage) - 1);
    const start = Math.min(page - 1, last) * productsPerPage;
    const inParts = rowsFirst && this.#list.getBoundingClientRect().top > 0;
    this.#place(start, [], inParts ? firstCards() : productsPerPage);
    this.#wantedEnd = Math.min(start + productsPerPage, positions.length);
    if (this.#end < this.#wantedEnd)
      afterPaint(() => {
        this.#drawRest();
      });
  }

  #drawRest(): void {
    if (this.#end >= this.#wantedEnd) return;
    this.#list.append(...this.#take(this.#end, this.#wantedEnd));
    this.#end = this.#wantedEnd;
  }

  #place(start: number, above: number[], count: number): void {
    this.#start = start;
    this.#end = Math.min(start + count, this.#positions.length);
    this.#wantedEnd = this.#end;
    this.#above = above;
    const items = this.#take(start, this.#end);
    const kept = new Set<Element>(items);
    for (const [position, item] of this.#items) if (!kept.has(item)) this.#items.delete(position);
    for (const child of [...this.#list.children]) if (!kept.has(child)) child.remove();
    // A card that is moved is styled and laid out anew: only those are that stand elsewhere.
    let next = this.#list.firstElementChild;
    for (const item of items) {
      if (item === next) next = item.nextElementSibling;
      else this.#list.insertBefore(item, next);
    }
    this.#settle();
  }

  #take(start: number, end: number): HTMLElement[] {
    return this.#positions.slice(start, end).map((position) => {
      const item = this.#items.get(position) ?? this.#draw(position);
      this.#items.set(position, item);
      return item;
    });
  }

  #drop(start: number, end: number): void {
    for (const position of this.#positions.slice(start, end)) {
      this.#items.get(position)?.remove();
      this.#items.delete(position);
    }
  }

  #settle(): void {
    this.#list.dataset['start'] = String(this.#start);
    const height = this.#above.reduce((sum, each) => sum + each, 0);
    this.#list.style.paddingTop = height === 0 ? '' : `${String(height)}px`;
  }

  get hasMore(): boolean {
    return Math.max(this.#end, this.#wantedEnd) < this.#positions.length;
  }

  /** Whether cards before the first are neither in the document nor reached by scrolling up. */
  get hasEarlier(): boolean {
    return this.#start > 0 && this.#above.length === 0;
  }

  /** The page of the results that the middle of the screen is in, from 1. */
  get page(): number {
    let page = 0;
    for (let at = this.#start; at < this.#end; at += productsPerPage) {
      if (this.#topOf(at) <= innerHeight / 2 || at === this.#start)
        page = Math.floor(at / productsPerPage);
    }
    return page + 1;
  }

  #topOf(index: number): number {
    return (
      this.#items.get(this.#positions[index] ?? -1)?.getBoundingClientRect().top ??
      Number.POSITIVE_INFINITY
    );
  }

  /** Adds the next page. Returns its first card. */
  addMore(): HTMLElement | undefined {
    this.#drawRest();
    this.#addedByScrolling = 0;
    return this.#grow();
  }

  #grow(): HTMLElement | undefined {
    const items = this.#take(
      this.#end,
      Math.min(this.#end + productsPerPage, this.#positions.length),
    );
    this.#list.append(...items);
    this.#end += items.length;
    if (this.#end - this.#start > maxCards) {
      const next = this.#start + productsPerPage;
      this.#above.push(this.#topOf(next) - this.#topOf(this.#start));
      this.#drop(this.#start, next);
      this.#start = next;
      this.#settle();
    }
    return items[0];
  }

  /** Puts the page before the first card back. What is on the screen stays where it is. */
  addEarlier(): void {
    if (this.#start === 0) return;
    this.#drawRest();
    const before = this.#topOf(this.#start);
    const first = this.#start;
    this.#start = Math.max(0, first - productsPerPage);
    this.#list.prepend(...this.#take(this.#start, first));
    this.#above.pop();
    while (this.#end - this.#start > maxCards) {
      const end = this.#end;
      this.#end = Math.floor((end - 1) / productsPerPage) * productsPerPage;
      this.#drop(this.#end, end);
    }
    this.#settle();
    const moved = this.#topOf(first) - before;
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' });
  }

  /** Adds cards where the shopper has come near the end of those that are there. */
  scrolled(): void {
    this.#drawRest();
    const upwards = scrollY < this.#lastY;
    this.#lastY = scrollY;
    const box = this.#list.getBoundingClientRect();
    if (this.#above.length > 0 && this.#topOf(this.#start) > innerHeight) this.#jump(-box.top);
    else if (upwards && this.#start > 0 && this.#topOf(this.#start) > -nearEnd) this.addEarlier();
    else if (
      this.hasMore &&
      box.bottom < innerHeight + nearEnd &&
      this.#addedByScrolling < maxCards - productsPerPage
    ) {
      this.#addedByScrolling += productsPerPage;
      this.#grow();
    }
  }

  /** Far up in one go, as with the Home key: straight to the page that was there, without those between. */
  #jump(y: number): void {
    let page = 0;
    let height = 0;
    while (page < this.#above.length - 1 && height + (this.#above[page] ?? 0) < y) {
      height += this.#above[page] ?? 0;
      page += 1;
    }
    const start = this.#start - (this.#above.length - page) * productsPerPage;
    this.#place(start, this.#above.slice(0, page), 2 * productsPerPage);
  }
}
