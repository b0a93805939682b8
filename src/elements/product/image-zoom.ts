import PhotoSwipe, { type SlideData } from 'photoswipe';
import libraryStyles from 'photoswipe/style.css?inline';
import { closeOnBack } from '#services/close-on-back.ts';
import { adoptStyles } from '#services/adopt-styles.ts';
import ownStyles from '#styles/product/zoom.css?inline';

const hasStyles = adoptStyles(libraryStyles, ownStyles);

/** The widest image that the links lead to, in pixels. */
const width = 1680;

/**
 * Opens the images of a gallery over the page at the one of a link, in full size: a swipe or an arrow turns to the next one, two fingers
 * pinch, a press comes nearer. Closed by its button, Escape or a swipe down; the focus goes back to the link.
 *
 * @throws In a browser that cannot load its styles.
 */
export function open(link: HTMLAnchorElement): void {
  if (!hasStyles) throw new Error('The large view has no styles');
  const gallery = link.closest('product-gallery');
  const links = [...(gallery?.querySelectorAll<HTMLAnchorElement>('[data-opens]') ?? [])];
  const viewer = new PhotoSwipe({
    dataSource: links.map(slideOf),
    index: links.indexOf(link),
    bgOpacity: 1,
    loop: false,
    showHideAnimationType: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'none' : 'zoom',
    arrowPrevTitle: 'Previous picture',
    arrowNextTitle: 'Next picture',
    closeTitle: 'Close',
    zoomTitle: 'Enlarge',
    errorMsg: 'The picture could not be loaded. Check your connection and try again.',
  });
  viewer.on('afterInit', () => {
    if (viewer.element) viewer.element.ariaLabel = gallery?.querySelector('ul')?.ariaLabel ?? '';
  });
  viewer.on('change', () => {
    // The page shows the image that was seen last.
    gallery?.querySelectorAll<HTMLElement>('[data-thumbs] button')[viewer.currIndex]?.click();
  });
  viewer.init();
  const closed = closeOnBack(() => {
    viewer.close();
    return true;
  });
  viewer.on('destroy', () => {
    closed();
  });
}

function slideOf(link: HTMLAnchorElement): SlideData {
  const image = link.querySelector<HTMLImageElement>('picture img');
  // An image that is not loaded yet is taken for a square, as most are.
  const ratio = image && image.naturalWidth > 0 ? image.naturalHeight / image.naturalWidth : 1;
  return {
    src: link.href,
    width,
    height: Math.round(width * ratio),
    alt: image?.alt ?? '',
    element: link,
    // Seen until the large one is there.
    ...(image && { msrc: image.currentSrc }),
  };
}
