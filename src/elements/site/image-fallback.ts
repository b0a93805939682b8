/** Replaces images that fail to load by the placeholder, and morphs a card's image into its product page's. */

function replaceBroken(image: HTMLImageElement): void {
  if (image.src.endsWith('/placeholder.svg')) return;
  for (const source of image.parentElement?.querySelectorAll('source') ?? []) source.remove();
  image.src = '/placeholder.svg';
}

document.addEventListener(
  'error',
  (event) => {
    if (event.target instanceof HTMLImageElement) replaceBroken(event.target);
  },
  true,
);
// Those that failed before this script ran.
for (const image of document.images)
  if (image.complete && image.naturalWidth === 0 && image.src !== '') replaceBroken(image);

/** A product page's own image, which the stylesheet names. */
const ownImage = () => document.querySelector<HTMLElement>('.gallery-slides img');

/** Names the image of the card that leads to (or came from) this product page, and no other, for one transition. */
function nameCard(address: string | null | undefined, transition: ViewTransition | null): void {
  if (!transition || address == null) return;
  const path = new URL(address).pathname;
  const image = document.querySelector<HTMLElement>(`.card-image[href="${CSS.escape(path)}"] img`);
  if (!path.startsWith('/product/') || !image) return;
  const own = ownImage();
  if (own) own.style.viewTransitionName = 'none';
  image.style.viewTransitionName = 'product';
  void transition.finished.finally(() => {
    image.style.viewTransitionName = '';
    if (own) own.style.viewTransitionName = '';
  });
}

window.addEventListener('pageswap', (event) => {
  nameCard(event.activation?.entry.url, event.viewTransition);
});
window.addEventListener('pagereveal', (event) => {
  // From one product to another the image grows on this page, whatever cards lead back.
  if (!ownImage()) nameCard(window.navigation.activation?.from?.url, event.viewTransition);
});
