import { alertLabel } from './domain/alert-label.ts';

/** Fetches the code of the form for a sold-out product when it is opened. Without it the browser sends the form by itself. */
export function onProductPage(): void {
  const box = document.querySelector<HTMLDetailsElement>('[data-stock-alert]');
  if (!box) return;
  const show = (): void => {
    const missing = [
      ...document.querySelectorAll<HTMLInputElement>(
        '[data-size-picker]:not([hidden]) [name=size][data-stock="0"]',
      ),
    ].map(({ value }) => value);
    const label = box.querySelector('summary');
    if (label) label.textContent = alertLabel(missing, box.closest('[data-stock="0"]') !== null);
    if (box.open)
      import('./stock-alert.ts')
        .then(({ showStockAlert }) => {
          showStockAlert(box, missing);
        })
        .catch(() => undefined);
  };
  box.addEventListener('toggle', show);
  // Sold out since the build.
  if (box.closest('[data-stock="0"]')) box.open = true;
  show();
}
