/* The custom elements of a product's page, in one file. */
import '../site/products.ts';
import './delivery-form.ts';
import './product-gallery.ts';
import './quantity-stepper.ts';
import './share-button.ts';
import { onFirstInteraction } from '../site/first-interaction.ts';
import { showSizes } from './size-picker.ts';
import { updateOffer } from './structured-offer.ts';

const updateSizes = (): void => {
  const picker = document.querySelector<HTMLElement>('[data-size-picker]');
  if (picker) showSizes(picker);
};
updateSizes();
document.addEventListener('products-changed', () => {
  updateSizes();
  updateOffer();
});
// A page that is opened and left at once was not looked at.
onFirstInteraction(() => {
  import('../lazy/product-page-features.ts').then(
    ({ beginFeatures }) => {
      beginFeatures();
    },
    () => undefined,
  );
});
