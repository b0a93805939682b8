import type { CardDetails } from '#domain/catalogue/listing/catalogue-index.ts';
import { categoryLabel, type Category } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { imageFor, imageLayouts } from '#services/catalogue/image-layouts.ts';
import { showChooser, updateProductMarkup } from '#elements/site/product-markup.ts';

/** Says on a card of `BlankCard.astro` of which category its product is. */
export function showCategory(card: HTMLElement, category: Category): void {
  card.dataset['category'] = category;
  const label = card.querySelector('.card-category');
  if (label) label.textContent = categoryLabel(category);
}

/** Fills a card of `BlankCard.astro`, but for its category, with a product. */
export function fillProductCard(
  card: HTMLElement,
  product: CardDetails & Pick<Product, 'name' | 'price' | 'offerPrice'>,
): void {
  const { id, name, description, images, sized } = product;
  card.dataset['id'] = id;
  if (images[0] === undefined) delete card.dataset['image'];
  else card.dataset['image'] = images[0];
  const title = card.querySelector('.card-name a');
  if (title) title.textContent = name;
  for (const link of card.querySelectorAll('a')) link.href = `/product/${encodeURIComponent(id)}`;
  const text = card.querySelector('[data-description]');
  if (text) text.textContent = description;
  const picture = imageFor(images[0], imageLayouts.card);
  for (const source of card.querySelectorAll('source')) {
    if (picture.avif === null) source.remove();
    else source.srcset = picture.avif;
  }
  const image = card.querySelector<HTMLImageElement>('picture img');
  if (image) image.src = picture.src;
  for (const thumbs of card.querySelectorAll('.card-thumbs')) {
    const blank = thumbs.querySelector('button');
    if (images.length < 2 || !blank) thumbs.remove();
    else
      thumbs.replaceChildren(
        ...images.map((entry, index) =>
          thumbFor(blank, entry, `Picture ${String(index + 1)} of ${name}`, index === 0),
        ),
      );
  }
  updateProductMarkup(card, product);
  const button = card.querySelector<HTMLButtonElement>('add-to-cart button');
  if (button?.disabled === false) button.ariaLabel = `Add to Cart: ${name}`;
  showChooser(card, sized);
  const choose = card.querySelector('[data-choose]');
  if (choose) choose.ariaLabel = `Choose size: ${name}`;
  for (const button of card.querySelectorAll<HTMLElement>('[data-label]'))
    button.ariaLabel = (button.dataset['label'] ?? '').replace('{name}', name);
}

function thumbFor(
  blank: HTMLButtonElement,
  entry: string,
  label: string,
  pressed: boolean,
): HTMLButtonElement {
  const button = document.createElement('button');
  Object.assign(button, {
    type: 'button',
    className: blank.className,
    ariaLabel: label,
    ariaPressed: String(pressed),
  });
  button.dataset['thumb'] = entry;
  const image = new Image(44, 44);
  image.alt = '';
  image.loading = 'lazy';
  image.src = imageFor(entry, imageLayouts.thumb).src;
  button.append(image);
  return button;
}
