import { formatRupees, splitRupees, type Paise } from '#domain/money.ts';
import { chargedPrice, stockLevel, type Product } from '#domain/catalogue/product.ts';
import { maxQuantity } from '#domain/cart/cart-limits.ts';
import type { CartProduct } from '#domain/cart/cart.ts';

const amount = (text: string | undefined) =>
  text === undefined || text === '' ? null : Number(text);

/** The product of a card or a product page, read from its `data-` attributes and its text. */
export function readProductMarkup(root: HTMLElement): CartProduct {
  const { id = '', category = '', price, offer, image } = root.dataset;
  const chosen = root.querySelector<HTMLInputElement>('[name=size]:checked');
  const { stock } = (chosen ?? root).dataset;
  return {
    id,
    size: chosen?.value,
    name: root.querySelector('[data-name]')?.textContent.trim() ?? '',
    category: category,
    images: image === undefined ? [] : [image],
    price: amount(price) ?? 0,
    offerPrice: amount(offer),
    stock: amount(stock) ?? 0,
  };
}

/** Writes the text of parts that are not always true, which stands in their attribute; `{}` is the value. Browsers of text know no `hidden`. */
function show(
  parts: Iterable<HTMLElement>,
  name: 'priceWas' | 'sale' | 'low' | 'choose',
  shown: boolean,
  value = '',
): void {
  for (const part of parts) {
    const text = shown ? (part.dataset[name] ?? '').replace('{}', value) : '';
    part.hidden = !shown;
    // Writing the same text again would cause another layout.
    if (part.textContent.trim() !== text) part.textContent = text;
  }
}

/** Writes what `Rupees.astro` draws. */
function showPrice(root: HTMLElement, paise: Paise): void {
  const { rupees, decimals } = splitRupees(paise);
  for (const part of root.querySelectorAll('[data-price-now]')) {
    if (part.textContent === rupees + decimals) continue;
    const small = document.createElement('span');
    small.className = 'decimals';
    small.textContent = decimals;
    part.replaceChildren(rupees, small);
  }
}

/** Lets as many be chosen as a cart may hold: of the product, or of the size that is chosen. */
export function limitQuantity(root: HTMLElement, stock: number): void {
  for (const input of root.querySelectorAll<HTMLInputElement>('[data-quantity]')) {
    const max = Math.max(maxQuantity(stock), 1);
    input.max = String(max);
    input.value = String(Math.min(Number(input.value) || 1, max));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** A card's button puts the product into the cart; of one with sizes it leads to the page where they are chosen. */
export function showChooser(root: HTMLElement, sized: boolean): void {
  const button = root.querySelector<HTMLButtonElement>('add-to-cart button');
  const links = root.querySelectorAll<HTMLElement>('[data-choose]');
  if (!button || links.length === 0) return;
  const chooses = sized && !button.disabled;
  show(links, 'choose', chooses);
  button.hidden = chooses;
  button.textContent = chooses ? '' : button.disabled ? 'Out of Stock' : 'Add to Cart';
}

/** Brings price, offer, stock, sizes, badges and button of a card or product page to the database's current values. */
export function updateProductMarkup(
  root: HTMLElement,
  product: Pick<Product, 'price' | 'offerPrice' | 'stock'> & Partial<Pick<Product, 'sizes'>>,
): void {
  const { price, offerPrice, stock, sizes } = product;
  root.dataset['price'] = String(price);
  root.dataset['offer'] = offerPrice === null ? '' : String(offerPrice);
  root.dataset['stock'] = String(stock);
  showPrice(root, chargedPrice(product));
  const onOffer = offerPrice !== null;
  show(root.querySelectorAll('[data-price-was]'), 'priceWas', onOffer, formatRupees(price));
  show(root.querySelectorAll('[data-sale]'), 'sale', onOffer);
  const isLow = stockLevel(stock) === 'low';
  show(root.querySelectorAll('[data-low]'), 'low', isLow, String(stock));
  limitQuantity(root, stock);
  const button = root.querySelector<HTMLButtonElement>('add-to-cart button');
  if (button && button.disabled !== (stock === 0)) {
    button.disabled = stock === 0;
    button.textContent = stock === 0 ? 'Out of Stock' : 'Add to Cart';
    button.removeAttribute('aria-label');
  }
  if (sizes === undefined) return;
  showChooser(root, sizes.length > 0);
  const picker = root.querySelector<HTMLElement>('[data-size-picker]');
  if (picker) picker.dataset['sizes'] = JSON.stringify(sizes);
}
