/* The custom elements of a product's page, in one file; what nobody needs before the first touch comes with `product-visit`. */
import '../site/products.ts';
import './delivery-form.ts';
import './product-gallery.ts';
import './quantity-stepper.ts';
import { onFirstInteraction } from '../site/first-interaction.ts';

// Loads the picker only for a product with sizes: as it was built, or as it is now.
const updateSizes = (): void => {
  const picker = document.querySelector<HTMLElement>(
    '[data-size-picker]:is([data-sizes^="[{"], :has([name=size]:not([value=""])))',
  );
  if (picker)
    import('../site/size-picker.ts')
      .then(({ showSizes }) => {
        showSizes(picker);
      })
      .catch(() => undefined);
};
updateSizes();
document.addEventListener('products-changed', updateSizes);

// The page of a product newer than the build is completed first: it is known whole only then.
const completed = document.querySelector('new-product')
  ? import('./new-product.ts').catch(() => undefined)
  : undefined;
onFirstInteraction(() => {
  void Promise.all([import('./product-visit.ts'), completed]).then(([code]) => {
    code.recordVisit();
  });
});
