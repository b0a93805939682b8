import { watchPinch } from './image-pinch.ts';

const nearest = 4;
const near = 2.2;

/**
 * The image of a link in full size over the page. A click (or Enter) goes nearer to where it fell and away again;
 * two fingers pinch, one drags. Closed by its button or Escape; the focus goes back to the link.
 */
export function openZoom(link: HTMLAnchorElement): void {
  const image = new Image();
  image.src = link.href;
  image.alt = link.querySelector('img')?.alt ?? '';
  image.className = 'size-full max-w-none object-contain';
  image.draggable = false;
  const close = button('icon-btn fixed top-3 right-3 z-1 bg-paper text-[1.5rem]', 'Close', '×');
  // Two fingers are the script's (image-pinch), one is the browser's.
  const stage = button(
    'block size-full cursor-zoom-in [touch-action:pan-x_pan-y] overflow-auto overscroll-contain aria-pressed:cursor-zoom-out',
    'Enlarge',
    image,
  );
  stage.ariaPressed = 'false';
  const dialog = document.createElement('dialog');
  dialog.className = 'h-screen supports-[height:1dvh]:h-dvh max-h-none w-screen max-w-none bg-tile';
  dialog.ariaLabel = image.alt === '' ? 'Picture' : image.alt;
  dialog.append(close, stage);

  let scale = 1;
  // Shows the image `to` times as large, with what lay under (x, y) before still there.
  const zoom = (to: number, x: number, y: number) => {
    const factor = Math.min(Math.max(to, 1), nearest) / scale;
    const box = stage.getBoundingClientRect();
    const left = (stage.scrollLeft + x - box.left) * factor - (x - box.left);
    const top = (stage.scrollTop + y - box.top) * factor - (y - box.top);
    scale *= factor;
    image.style.width = `${String(scale * 100)}%`;
    image.style.height = `${String(scale * 100)}%`;
    stage.ariaPressed = String(scale > 1.01);
    stage.scrollTo({ left, top, behavior: 'instant' });
  };
  close.addEventListener('click', () => {
    dialog.close();
  });
  stage.addEventListener('click', ({ detail, clientX, clientY }) => {
    // A key press has no position: zoom into the middle.
    const [x, y] =
      detail === 0 ? [stage.clientWidth / 2, stage.clientHeight / 2] : [clientX, clientY];
    zoom(scale > 1.01 ? 1 : near, x, y);
  });
  watchPinch(stage, (factor, x, y) => {
    zoom(scale * factor, x, y);
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus({ preventScroll: true });
  });
  // In `main`, as all that has a class of the page's own sheet.
  document.querySelector('main')?.append(dialog);
  dialog.showModal();
}

function button(className: string, label: string, content: Node | string): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = className;
  element.ariaLabel = label;
  element.append(content);
  return element;
}
