/* The custom elements of a product's page, in one file. */
import '#elements/site/products.ts';
import './delivery-form.ts';
import './product-gallery.ts';
import './quantity-stepper.ts';
import './share-button.ts';
import { onFirstInteraction } from '#elements/site/first-interaction.ts';
import { showSizes } from './size-picker.ts';
import { updateOffer } from './structured-offer.ts';

const updateSizes = (): void => {
  const picker = document.querySelector<HTMLElement>('[data-size-picker]');
  if (picker) showSizes(picker);
};
updateSizes();
// What opens over the page in place of the page that a link leads to; without the script the link leads there.
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[data-opens]');
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  (link.dataset['opens'] === 'image' ? import('./image-zoom.ts') : import('./size-guide-sheet.ts'))
    .then(({ open }) => open(link))
    .catch(() => {
      location.href = link.href;
    });
});
document.addEventListener('products-changed', () => {
  updateSizes();
  updateOffer();
});
// A page that is opened and left at once was not looked at.
onFirstInteraction(() => {
  import('#elements/lazy/product-page-features.ts').then(
    ({ beginFeatures }) => {
      beginFeatures();
    },
    () => undefined,
  );
});
