import type { Page } from '@playwright/test';
import { startWith } from '#tests/browser/account/customers.ts';
import { cartLine } from '#tests/browser/catalogue/product-rows.ts';
import { untilDrawn } from '#tests/browser/support/page-state.ts';
import { expect, test } from '#tests/browser/support/shop.ts';
import { pages } from './page-list.ts';

interface Probed {
  /** Texts, links and fields of `main` that were in view at some time. */
  count: number;
  /** Each that something lay over, with what lay over it. */
  covered: string[];
}

/**
 * Scrolls the page through in thirds of a screen, and asks at the centre of each text, link and field of `main` what is on top.
 * The header and bars as wide as the screen at its edges may lie over the page: one scrolls on. A control may take the
 * whole of its card, so a text counts as covered only by what paints.
 */
const probe = (page: Page): Promise<Probed> =>
  page.evaluate(() => {
    const main = document.querySelector('main');
    if (!main) throw new Error('The page has no main');
    const { innerWidth: width, innerHeight: height } = window;
    const pinnedAround = (start: Element): Element | null => {
      let element: Element | null = start;
      while (element && !/^(?:fixed|sticky)$/u.test(getComputedStyle(element).position))
        element = element.parentElement;
      return element;
    };
    const header = document.querySelector('header');
    const isBar = (element: Element): boolean => {
      if (header?.contains(element)) return true;
      const pinned = pinnedAround(element);
      if (!pinned || pinned.contains(main)) return false;
      const box = pinned.getBoundingClientRect();
      const top = header?.getBoundingClientRect().bottom ?? 0;
      const isAtEdge = box.top <= top + 1 || box.bottom >= height - 1;
      return box.width >= width - 1 && box.height <= height / 3 && isAtEdge;
    };
    const linesOf = (text: Node): DOMRect[] => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].filter((line) => line.width > 1);
    };
    const holds = (box: DOMRect, x: number, y: number): boolean =>
      x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    const paints = (element: Element, x: number, y: number): boolean => {
      const style = getComputedStyle(element);
      return (
        element.matches('img, video, svg, svg *, canvas, iframe') ||
        style.backgroundImage !== 'none' ||
        !/^(?:transparent|rgba\(.+, 0\))$/u.test(style.backgroundColor) ||
        [...element.childNodes].some(
          (node) =>
            node.nodeType === Node.TEXT_NODE && linesOf(node).some((line) => holds(line, x, y)),
        )
      );
    };
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], .visually-hidden, .skip-link') === null;
    /** Whether a part that scrolls or cuts shows this point of it. */
    const isCut = (element: Element, x: number, y: number): boolean => {
      for (let part: Element | null = element; part && part !== main; part = part.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(part);
        const isOpen = overflowX === 'visible' && overflowY === 'visible';
        if (!isOpen && !holds(part.getBoundingClientRect(), x, y)) return true;
      }
      return false;
    };

    interface Target {
      element: Element;
      isText: boolean;
      name: string;
      box: () => DOMRect | undefined;
    }
    const targets: Target[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const element = text.parentElement;
      const name = (text.nodeValue ?? '').trim().slice(0, 40);
      if (name === '' || !element || element.closest('script, style, template, noscript')) continue;
      const box = () => {
        const lines = linesOf(text);
        return lines[Math.floor(lines.length / 2)];
      };
      targets.push({ element, isText: true, name: `“${name}”`, box });
    }
    for (const element of main.querySelectorAll(
      'a[href], button, input:not([type="hidden"]), select, textarea, summary',
    )) {
      const name = `${element.tagName.toLowerCase()} “${(element.ariaLabel ?? element.textContent).trim().slice(0, 40)}”`;
      targets.push({ element, isText: false, name, box: () => element.getClientRects()[0] });
    }

    const coverOf = ({ element, isText }: Target, x: number, y: number): Element | null => {
      for (const above of document.elementsFromPoint(x, y)) {
        if (above === element || element.contains(above) || above.contains(element)) return null;
        const label = above.closest('label');
        if (label?.contains(element) === true) return null;
        if (isBar(above)) return null;
        if (!isText || paints(above, x, y)) return above;
      }
      return null;
    };
    const seen = new Set<Target>();
    const covered = new Set<string>();
    const end = document.documentElement.scrollHeight - height;
    for (let top = 0; ; top += Math.floor(height / 3)) {
      window.scrollTo({ top: Math.min(top, end), behavior: 'instant' });
      for (const target of targets) {
        const box = target.box();
        if (!box || box.width === 0 || box.height === 0) continue;
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        if (x < 0 || x >= width || y < 0 || y >= height) continue;
        if (!isShown(target.element) || isCut(target.element, x, y)) continue;
        seen.add(target);
        const cover = coverOf(target, x, y);
        if (cover)
          covered.add(
            `${target.name} under ${cover.tagName.toLowerCase()}.${cover.getAttribute('class') ?? ''}`,
          );
      }
      if (top >= end) break;
    }
    return { count: seen.size, covered: [...covered] };
  });

const sizes = [
  { width: 360, height: 780 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;

/** A few pages for each test: one browser opens them one after the other. */
const paths = ['product', ...pages.map(({ path }) => path)];
const parts = [0, 1, 2].map((part) => paths.filter((_, index) => index % 3 === part));

for (const part of parts) {
  test(
    `whoever scrolls a page through can read and press all of it: ${part.join(', ')}`,
    { tag: '@desktop' },
    async ({ page, context, newProduct, expectProblem }) => {
      expectProblem(/404/u);
      await startWith(context, { cart: [cartLine(await newProduct())] });
      await page.goto('/shop');
      const product = await page.locator('.card-name a').first().getAttribute('href');
      for (const path of part) {
        await page.goto(path === 'product' ? (product ?? '') : path);
        await untilDrawn(page);
        for (const size of sizes) {
          await page.setViewportSize(size);
          const { count, covered } = await probe(page);
          const state = `${path} at ${String(size.width)} px`;
          expect(count, `measured in ${state}`).toBeGreaterThan(0);
          expect.soft(covered, state).toEqual([]);
        }
      }
    },
  );
}
