import '../styles/zoom.css';

/** A picture in full size over the page. A click (or Enter) goes nearer to where it fell; fingers pinch and drag. */
export function openZoom(address: string, alternative: string): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'zoom';
  dialog.ariaLabel = alternative === '' ? 'Picture' : alternative;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'icon-btn zoom-close';
  close.ariaLabel = 'Close';
  close.textContent = '×';
  const image = new Image();
  image.src = address;
  image.alt = alternative;
  const nearer = document.createElement('button');
  nearer.type = 'button';
  nearer.className = 'zoom-picture';
  nearer.ariaLabel = 'Enlarge';
  nearer.ariaPressed = 'false';
  nearer.append(image);
  dialog.append(close, nearer);
  close.addEventListener('click', () => { dialog.close(); });
  nearer.addEventListener('click', (event) => { approach(nearer, event); });
  dialog.addEventListener('close', () => { dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
}

function approach(button: HTMLElement, event: MouseEvent): void {
  const near = button.ariaPressed !== 'true';
  const box = button.getBoundingClientRect();
  // From the keyboard there is no place: the middle.
  const x = event.detail === 0 ? 0.5 : (event.clientX - box.left) / box.width;
  const y = event.detail === 0 ? 0.5 : (event.clientY - box.top) / box.height;
  button.ariaPressed = String(near);
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = button;
  button.scrollTo({ left: x * scrollWidth - clientWidth / 2, top: y * scrollHeight - clientHeight / 2, behavior: 'instant' });
}
