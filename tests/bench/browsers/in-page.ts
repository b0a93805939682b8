/* Functions that run inside a page: the browser gets their source, so each one stands alone. */

import type { Box } from './overlap.ts';

export type Kind = 'button' | 'link' | 'field' | 'choice' | 'heading';

/**
 * Finds a control by its kind and a pattern for its name, in the open dialog or else in the page, and marks it for
 * `[data-walk]`. Returns where its middle is, when nothing covers it; else what stands in the way.
 */
export function locate(kind: Kind, name: string): string {
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
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const isVisible = (each: Element): boolean =>
    each.getClientRects().length > 0 &&
    getComputedStyle(each).visibility === 'visible' &&
    each.closest('details:not([open]) > :not(summary)') === null;
  const element = [...root.querySelectorAll<HTMLElement>(selectors[kind])].find(
    (each) => new RegExp(name, 'u').test(nameOf(each)) && isVisible(each),
  );
  if (!element) return 'not on the page';
  if (element.matches(':disabled')) return 'disabled';
  // A choice may be drawn by its label alone.
  const label = kind === 'choice' ? (element as HTMLInputElement).labels?.[0] : undefined;
  const target = label ?? element;
  for (const marked of document.querySelectorAll<HTMLElement>('[data-walk]'))
    delete marked.dataset['walk'];
  target.dataset['walk'] = '';
  // Scrolled only when it must be: a container that snaps back would never come to rest.
  let cover = '';
  for (const scroll of [false, true]) {
    if (scroll) target.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = target.getClientRects()[0];
    if (!box) return 'without a box';
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const top = document.elementFromPoint(x, y);
    if (top && target.contains(top)) return `${String(x)}, ${String(y)}`;
    cover = top?.outerHTML.slice(0, 120) ?? 'the edge of the viewport';
  }
  return `covered by ${cover}`;
}

/** How many pixels the page is wider than the viewport. */
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
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  const boxes: Box[] = [];
  // Old browsers have no `checkVisibility`.
  const isVisible = (each: Element): boolean => {
    if (getComputedStyle(each).visibility !== 'visible') return false;
    if (each.closest('details:not([open]) > :not(summary)')) return false;
    for (let at: Element | null = each; at; at = at.parentElement)
      if (getComputedStyle(at).opacity === '0') return false;
    return each.getClientRects().length > 0;
  };
  const controls = [
    ...(modal ?? document).querySelectorAll(
      'a[href], button, input:not([type="hidden"]), select, textarea, summary',
    ),
  ].filter(isVisible);
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

/**
 * The thing that the page still waits for; null when it is loaded and its scripts have taken over their parts. From the
 * first call on a page it records console errors, and each message that comes on screen, which leaves after two seconds.
 */
export function awaited(): string | null {
  if (location.protocol === 'about:') return 'nothing is open yet';
  if (!('walkErrors' in window)) {
    const [errors, shown]: [string[], string[]] = [[], []];
    Object.assign(window, { walkErrors: errors, shownToasts: shown });
    const logError = console.error;
    console.error = (...parts: unknown[]) => {
      errors.push(parts.map(String).join(' '));
      logError(...parts);
    };
    addEventListener('error', ({ message }) => errors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && node.matches('.toast')) shown.push(node.innerText);
    }).observe(document, { childList: true, subtree: true });
  }
  if (document.readyState !== 'complete') return `${location.href} is ${document.readyState}`;
  if (document.fonts.status !== 'loaded') return 'fonts are loading';
  const part = document.querySelector(':not(:defined, astro-slot), astro-island[ssr]');
  return part && `${part.tagName} ${part.getAttribute('component-url') ?? ''} has no script yet`;
}

/** The recorded console errors since the last call. */
export function recordedErrors(): string[] {
  return (window as { walkErrors?: string[] }).walkErrors?.splice(0) ?? [];
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

export function valueOf(): string {
  return document.querySelector<HTMLInputElement>('[data-walk]')?.value ?? '';
}
