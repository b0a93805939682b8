/** Fetches the code of the form for a sold-out product when it is opened. Without it the browser sends the form by itself. */
export function onProductPage(): void {
  const box = document.querySelector<HTMLDetailsElement>('[data-stock-alert]');
  const show = (): void => {
    if (box?.open)
      import('./stock-alert.ts')
        .then(({ showStockAlert }) => {
          showStockAlert(box);
        })
        .catch(() => undefined);
  };
  box?.addEventListener('toggle', show);
  // Sold out since the build.
  if (box?.closest('[data-stock="0"]')) box.open = true;
  show();
}
