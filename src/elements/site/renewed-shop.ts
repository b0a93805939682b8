/*
 * A deploy takes the script files of the one before away. A page that was open meanwhile asks for them when it needs one more, so it
 * loads again: by itself where nothing can be lost, else by a button.
 */
import { showToast } from '#stores/toasts.ts';

const edited = new Set<EventTarget>();

/** Whether loading the page again would lose something: text in a field, an open dialog, the frame of a payment. */
function hasUnfinishedWork(): boolean {
  const isFilled = (field: EventTarget): boolean =>
    field instanceof Node && field.isConnected && 'value' in field && field.value !== '';
  const isShown = (part: Element): boolean => part.getClientRects().length > 0;
  return (
    [...document.querySelectorAll('dialog[open], iframe')].some(isShown) ||
    [...edited].some(isFilled)
  );
}

/** Whether the server has this page with other script files. Rejects without a connection. */
async function isRenewed(): Promise<boolean> {
  const own = [...document.querySelectorAll('script[src], astro-island')].flatMap(
    (part) => part.getAttribute('src') ?? part.getAttribute('component-url') ?? [],
  );
  const page = await (await fetch(window.location.href, { cache: 'no-cache' })).text();
  return (
    page.includes('/_astro/') &&
    own.some((file) => file.startsWith('/_astro/') && !page.includes(file))
  );
}

/** A page that came by a reload never reloads itself, so that it cannot do so for ever. */
const cameByReload = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'reload');

let button: HTMLButtonElement | undefined;

function offerReload(): void {
  // One button, so that the message counts as the same one and is shown once.
  button ??= document.createElement('button');
  button.type = 'button';
  button.className = 'link min-h-11';
  button.textContent = 'Reload the page';
  button.onclick = () => {
    window.location.reload();
  };
  showToast('The shop has been renewed', { description: button, durationMs: 3_600_000 });
}

let isAsking = false;

async function renew(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    if (!(await isRenewed())) return;
    if (hasUnfinishedWork() || cameByReload()) offerReload();
    else window.location.reload();
  } catch {
    // A part that could not be loaded without a connection says so itself.
  } finally {
    isAsking = false;
  }
}

// Typed before this script came, or filled in by the browser.
for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
  'input, textarea',
))
  if (field.value !== field.defaultValue) edited.add(field);
document.addEventListener(
  'input',
  ({ target }) => {
    if (target) edited.add(target);
  },
  { capture: true },
);
// Vite dispatches the one for a file that an import needs, Astro the other for an island.
window.addEventListener('vite:preloadError', () => void renew());
window.addEventListener('astro:hydration-error', () => void renew());
