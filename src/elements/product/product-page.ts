/* The custom elements of a product's page, in one file. */
import '../site/products.ts';
import './delivery-form.ts';
import './product-gallery.ts';
import './quantity-stepper.ts';
import './share-button.ts';
import { onFirstInteraction } from '../site/first-interaction.ts';
import { showSizes } from './size-picker.ts';

const updateSizes = (): void => {
  const picker = document.querySelector<HTMLElement>('[data-size-picker]');
  if (picker) showSizes(picker);
};
updateSizes();
document.addEventListener('products-changed', updateSizes);
/** What features do on a product's page: each `src/features/NAME/product-page.ts`. */
const features = Object.values(
  import.meta.glob<() => void>('../../features/*/product-page.ts', {
    eager: true,
    import: 'onProductPage',
  }),
);
// A page that is opened and left at once was not looked at.
onFirstInteraction(() => {
  for (const begin of features) begin();
});
