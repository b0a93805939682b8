/* The custom elements of a product's page, in one file. */
import '../site/products.ts';
import './delivery-form.ts';
import './product-gallery.ts';
import './quantity-stepper.ts';
import './share-button.ts';
import { onFirstInteraction } from '../site/first-interaction.ts';

// Of a product with sizes alone: as it was built, or as it is now.
const loadSizes = (): void => {
  if (document.querySelector('[name=size]:not([value=""]), [data-sizes^="[{"]')) void import('./size-picker.ts').catch(() => undefined);
};
loadSizes();
document.addEventListener('products-changed', loadSizes);

// The page of a product newer than the build is completed first: it is known whole only then.
const completed = document.querySelector('new-product') ? import('./new-product.ts').catch(() => undefined) : undefined;
onFirstInteraction(() => {
  void Promise.all([import('./product-visit.ts'), completed]).then(([code]) => { code.recordVisit(); });
});
