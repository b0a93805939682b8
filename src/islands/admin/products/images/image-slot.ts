import { AdminError } from '#services/admin/admin-error.ts';
import { ImageError } from '#services/images/prepare-image.ts';
import { shop } from '#settings/shop.ts';

/** A file, or the text of an address or data URL. */
export type ImageSource = Blob | string;

export interface ImageSlot {
  /** Stays with the image when it moves. */
  key: number;
  /** The stored text: a path in the bucket or an address; '' while there is none. */
  entry: string;
  alt: string;
  /** Uploaded in this form, and smaller than Google takes. */
  small: boolean;
  /** The file as it was chosen in this form, to be cut anew; null for what was stored before. */
  original: Blob | null;
  /**
   * The state of the upload: an image that is not square and waits to be cut, one that is being sent, or one that could not be
   * sent. `share` is 0 to 1; `preview` shows the file meanwhile.
   */
  upload:
    | null
    | { state: 'asking'; source: Blob }
    | { state: 'sending'; share: number; preview: string | null }
    | {
        state: 'failed';
        message: string;
        source: ImageSource;
        /** Whether another try may help. */ retry: boolean;
      };
}

export const slotCount = shop.limits.imagesPerProduct;
let lastKey = 0;
export const emptySlot = (): ImageSlot => ({
  key: (lastKey += 1),
  entry: '',
  alt: '',
  small: false,
  original: null,
  upload: null,
});

export function slotsOf(images: readonly string[], alts: readonly string[]): ImageSlot[] {
  return Array.from({ length: slotCount }, (_, index) => ({
    ...emptySlot(),
    entry: images[index] ?? '',
    alt: alts[index] ?? '',
  }));
}

/** Why an image could not be sent. */
export function messageFor(error: unknown): string {
  if (error instanceof AdminError || error instanceof ImageError) return error.message;
  console.warn('A picture could not be sent', error);
  return 'This picture could not be sent.';
}

/** An image that this browser cannot read, or that the server refuses for what it is, stays so. */
export const retryHelps = (error: unknown): boolean =>
  !(
    error instanceof ImageError ||
    (error instanceof AdminError && [400, 413, 415, 422].includes(error.status))
  );
