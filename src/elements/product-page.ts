/* The custom elements of a product's page, in one file. */
import './product-gallery.ts';
import './quantity-stepper.ts';
import './share-button.ts';

if (document.querySelector('fresh-piece')) void import('./fresh-piece.ts');
