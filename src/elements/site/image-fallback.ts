/** Replaces images that fail to load by the placeholder. */

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
