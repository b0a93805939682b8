/* The custom elements of a product's page, in one file. */
import '../site/products.ts';
import './delivery-form.ts';
import './product-gallery.ts';
import './quantity-stepper.ts';
import './share-button.ts';
import { onFirstInteraction } from '../site/first-interaction.ts';
import { recordVisit } from './product-visit.ts';
import { showSizes } from './size-picker.ts';

const updateSizes = (): void => {
  const picker = document.querySelector<HTMLElement>('[data-size-picker]');
  if (picker) showSizes(picker);
};
updateSizes();
document.addEventListener('products-changed', updateSizes);
// A page that is opened and left at once was not looked at.
onFirstInteraction(recordVisit);
