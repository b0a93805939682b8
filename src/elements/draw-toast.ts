import type { Toast } from '#stores/toasts.ts';

/** A message with its button; it takes itself away. */
export function drawToast(
  toast: Pick<Toast, 'title' | 'description' | 'tone'>,
  dismiss: () => void,
): HTMLElement {
  const element = document.createElement('div');
  element.className = 'toast';
  element.dataset['tone'] = toast.tone;
  const title = document.createElement('p');
  title.className = 'font-medium';
  title.textContent = toast.title;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = '-my-1 size-8 cursor-pointer text-[1.25rem]/none';
  close.ariaLabel = 'Dismiss';
  close.textContent = '×';
  close.addEventListener('click', dismiss);
  element.append(title, close);
  if (toast.description !== undefined) {
    const description = document.createElement('p');
    description.append(toast.description);
    element.append(description);
  }
  return element;
}
