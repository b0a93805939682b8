import { AdminError } from '../../../../services/admin/admin-error.ts';
import { PictureError } from '../../../../services/pictures/prepare-picture.ts';
import { shop } from '../../../../shop.config.ts';

/** A file, or the text of an address or data URL. */
export type PictureSource = Blob | string;

export interface PictureSlot {
  /** Stays with the picture when it moves. */
  key: number;
  /** As stored: a path in the bucket or an address; '' while there is none. */
  entry: string;
  alt: string;
  /** The file as it was chosen in this form, to be cut anew; null for what was stored before. */
  original: Blob | null;
  /** Not square, and waits to be cut; sent now; or could not be sent. `share` is 0 to 1; `preview` shows the file meanwhile. */
  upload:
    | null
    | { state: 'asking'; source: Blob }
    | { state: 'sending'; share: number; preview: string | null }
    | {
        state: 'failed';
        message: string;
        source: PictureSource;
        /** Whether another try may help. */ retry: boolean;
      };
}

export const slotCount = shop.limits.imagesPerProduct;
let lastKey = 0;
export const emptySlot = (): PictureSlot => ({
  key: (lastKey += 1),
  entry: '',
  alt: '',
  original: null,
  upload: null,
});

export function slotsOf(images: readonly string[], alts: readonly string[]): PictureSlot[] {
  return Array.from({ length: slotCount }, (_, index) => ({
    ...emptySlot(),
    entry: images[index] ?? '',
    alt: alts[index] ?? '',
  }));
}

/** Why a picture could not be sent. */
export function messageFor(error: unknown): string {
  if (error instanceof AdminError || error instanceof PictureError) return error.message;
  console.warn('A picture could not be sent', error);
  return 'This picture could not be sent.';
}

/** A picture that this browser cannot read, or that the server refuses for what it is, stays so. */
export const retryHelps = (error: unknown): boolean =>
  !(
    error instanceof PictureError ||
    (error instanceof AdminError && [400, 413, 415, 422].includes(error.status))
  );
