import { closeDialogOnBack } from '#services/close-on-back.ts';
import { adoptStyles } from '#services/adopt-styles.ts';
import prose from '#styles/site/prose.css?inline';
import drawings from '#styles/site/size-guide.css?inline';
import '#elements/size-guide/ring-on-glass.ts';

const hasStyles = adoptStyles(prose, drawings);

/**
 * Opens the part of the size guide that a link leads to over the page, so that what was chosen there stays.
 *
 * @throws When the guide cannot be fetched, or a browser cannot load its styles.
 */
export async function open(link: HTMLAnchorElement): Promise<void> {
  if (!hasStyles) throw new Error('The size guide has no styles');
  const response = await fetch(link.pathname);
  if (!response.ok) throw new Error(`The size guide was answered with ${String(response.status)}`);
  // The head is left out, because the policy of this page would refuse its styles.
  const [article = ''] = /<article.*<\/article>/su.exec(await response.text()) ?? [];
  const guide = new DOMParser()
    .parseFromString(article, 'text/html')
    .querySelector<HTMLElement>('.prose');
  if (!guide) throw new Error('The size guide has no text');
  // One column, which a wide page has beside a list of its parts.
  guide.style.display = 'block';
  keepPart(guide, link.hash.slice(1));

  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.ariaLabel = 'Size guide';
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'icon-btn shrink-0 self-end text-[1.5rem]';
  close.ariaLabel = 'Close';
  close.textContent = '×';
  const body = document.createElement('div');
  body.className = 'dialog-body px-5 pb-8 md:px-8';
  // A box that scrolls can be reached by a key.
  body.tabIndex = 0;
  body.append(guide);
  dialog.append(close, body);
  close.addEventListener('click', () => {
    dialog.close();
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus({ preventScroll: true });
  });
  // The page's own style sheet applies inside `main` alone.
  document.querySelector('main')?.append(dialog);
  dialog.showModal();
  closeDialogOnBack(dialog);
}

/** Leaves the part that begins with the heading of this id; all of it when there is none. */
function keepPart(guide: Element, id: string): void {
  const headings = [...guide.querySelectorAll(':scope > h2')];
  const from = headings.findIndex((heading) => heading.id === id);
  const first = headings[from];
  if (!first) return;
  const end = headings[from + 1];
  const children = [...guide.children];
  const keep = children.slice(
    children.indexOf(first),
    end ? children.indexOf(end) : children.length,
  );
  guide.replaceChildren(...keep);
}
