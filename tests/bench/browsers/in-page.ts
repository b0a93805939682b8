/* Functions that run inside a page: the engine sends their source, so each one stands alone. */
import type { Box } from './overlap.ts';
import type { Point } from './engine.ts';

export type Kind = 'button' | 'link' | 'field' | 'choice' | 'heading';

/** The control to find: its kind and a pattern for its name, in the part of the page that a selector finds. */
export interface Wanted {
  kind: Kind;
  /** The source of a regular expression. */
  name: string;
  within: string | null;
}

/** Where the control's middle is, when nothing covers it; else what stands in the way. Marks it for `[data-walk]`. */
export function locate({ kind, name, within }: Wanted): Point | string {
  const selectors = {
    button: 'button, summary, [role="button"], [role="tab"], input[type="submit"]',
    link: 'a[href]',
    field: 'input:not([type="radio"], [type="checkbox"], [type="hidden"]), textarea, select',
    choice: 'input[type="radio"], input[type="checkbox"]',
    heading: 'h1, h2, h3',
  };
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden="true"], select, textarea'))
      hidden.remove();
    return copy.textContent.replaceAll(/\s+/gu, ' ').trim();
  };
  const nameOf = (element: Element): string => {
    const labels = [...((element as HTMLInputElement).labels ?? [])].map(textOf).join(' ');
    const by = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
    return (
      element.getAttribute('aria-label') ??
      (by ? textOf(by) : labels === '' ? textOf(element) : labels)
    );
  };
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const root = within === null ? (modal ?? document) : document.querySelector(within);
  const pattern = new RegExp(name, 'u');
  const shown = [...(root?.querySelectorAll<HTMLElement>(selectors[kind]) ?? [])].filter(
    (element) =>
      pattern.test(nameOf(element)) && element.checkVisibility({ visibilityProperty: true }),
  );
  const [element] = shown;
  if (!element) return 'not on the page';
  if (element.matches(':disabled')) return 'disabled';
  for (const marked of document.querySelectorAll('[data-walk]'))
    delete (marked as HTMLElement).dataset['walk'];
  element.dataset['walk'] = '';
  const label = (element as HTMLInputElement).labels?.[0];
  // A choice may be drawn by its label alone.
  const target = kind === 'choice' && label ? label : element;
  // Scrolled only when it must be: a container that snaps back would never come to rest.
  let cover = '';
  for (const scroll of [false, true]) {
    if (scroll) target.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = target.getClientRects()[0];
    if (!box) return 'without a box';
    const point = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
    const top = document.elementFromPoint(point.x, point.y);
    if (top && target.contains(top)) return point;
    cover = top?.outerHTML.slice(0, 120) ?? 'the edge of the viewport';
  }
  return `covered by ${cover}`;
}

/** By how many pixels the page is wider than the viewport. */
export function overflowOf(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** The boxes of the controls that are visible in the viewport. */
export function controlBoxes(): Box[] {
  const layers: Element[] = [document.documentElement];
  const layerOf = (from: Element): number => {
    for (let element: Element | null = from; element; element = element.parentElement) {
      const { position } = getComputedStyle(element);
      if (position === 'fixed' || position === 'sticky' || element.matches('dialog, [popover]')) {
        if (!layers.includes(element)) layers.push(element);
        return layers.indexOf(element);
      }
    }
    return 0;
  };
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const boxes: Box[] = [];
  const controls = [
    ...(modal ?? document).querySelectorAll(
      'a[href], button, input:not([type="hidden"]), select, textarea, summary',
    ),
  ].filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  for (const [control, element] of controls.entries()) {
    const clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(parent);
      if (parent === document.body || (overflowX === 'visible' && overflowY === 'visible'))
        continue;
      const box = parent.getBoundingClientRect();
      clip.left = Math.max(clip.left, box.left);
      clip.top = Math.max(clip.top, box.top);
      clip.right = Math.min(clip.right, box.right);
      clip.bottom = Math.min(clip.bottom, box.bottom);
    }
    for (const rect of element.getClientRects()) {
      const box = {
        name:
          (element.getAttribute('aria-label') ?? element.textContent)
            .replaceAll(/\s+/gu, ' ')
            .trim() ||
          element.id ||
          element.tagName,
        control,
        layer: layerOf(element),
        left: Math.max(rect.left, clip.left),
        top: Math.max(rect.top, clip.top),
        right: Math.min(rect.right, clip.right),
        bottom: Math.min(rect.bottom, clip.bottom),
      };
      // Parts for screen readers alone measure one pixel.
      if (box.right - box.left > 3 && box.bottom - box.top > 3) boxes.push(box);
    }
  }
  return boxes;
}

/** The thing that the page still waits for; null when it is loaded and its scripts have taken over their parts. */
export function awaited(): string | null {
  if (document.readyState !== 'complete') return `${location.href} is ${document.readyState}`;
  if (document.fonts.status !== 'loaded') return 'fonts are loading';
  const part = document.querySelector(
    ':not(:defined, share-button, astro-slot), astro-island[ssr]',
  );
  return part && `${part.tagName} ${part.getAttribute('component-url') ?? ''} has no script yet`;
}

/** Notes each message that comes on screen from now on: it leaves after two seconds. */
export function recordMessages(): void {
  const shown: string[] = [];
  Object.assign(window, { shownToasts: shown });
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof HTMLElement && node.matches('.toast')) shown.push(node.innerText);
  }).observe(document, { childList: true, subtree: true });
}

/** True when the page shows the words, or has shown them in a message. Capitals do not count: styles make some. */
export function shows(words: string): boolean {
  const { shownToasts = [] } = window as { shownToasts?: readonly string[] };
  return [document.body.innerText, ...shownToasts].some((text) =>
    text.replaceAll(/\s+/gu, ' ').toLowerCase().includes(words.toLowerCase()),
  );
}

/** Sets the marked field: the list of a select is the browser's own window, which no driver opens. */
export function choose(label: string): void {
  const select = document.querySelector<HTMLSelectElement>('select[data-walk]');
  const option = [...(select?.options ?? [])].find(({ text }) => text.trim() === label);
  if (!select || !option) throw new Error(`There is no option ${label}`);
  select.value = option.value;
  select.dispatchEvent(new Event('input', { bubbles: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Selects the text of the marked field, and says whether there is any. */
export function selectText(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-walk]');
  field?.select();
  return (field?.value ?? '') !== '';
}

export function valueOf(): string {
  return document.querySelector<HTMLInputElement>('[data-walk]')?.value ?? '';
}
