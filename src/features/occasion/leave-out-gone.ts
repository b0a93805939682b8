/* Takes products out of the occasion's band that were sold out or withdrawn since the build. */
const band = document.querySelector<HTMLElement>('[data-from]');
const leaveOutGone = (): void => {
  if (!band) return;
  let left = 0;
  for (const { dataset, parentElement: item } of band.querySelectorAll<HTMLElement>('.card')) {
    const isGone = 'gone' in dataset || dataset['stock'] === '0';
    if (item) item.hidden = isGone;
    if (!isGone) left += 1;
  }
  if (left < Number(band.dataset['min'])) band.hidden = true;
};
document.addEventListener('products-changed', leaveOutGone);
// The products' code has a file of its own, which may come first.
leaveOutGone();
