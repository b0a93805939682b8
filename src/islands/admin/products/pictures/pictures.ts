import { atom, type ReadableAtom } from 'nanostores';
import { isPictureAddress } from '../../../../domain/admin/data-url.ts';
import { AdminError } from '../../../../services/admin/api.ts';
import { uploadPicture } from '../../../../services/admin/images.ts';
import { pictureOfDataUrl, PictureError, preparePicture } from '../../../../services/admin/prepare-picture.ts';
import { shop } from '../../../../shop.config.ts';

/** A file, or the text of an address or data URL. */
export type PictureSource = Blob | string;

export interface PictureSlot {
  /** Stays with the picture when it moves. */
  key: number;
  /** As stored: a path in the bucket or an address; '' while there is none. */
  entry: string;
  alt: string;
  /** Sent now, or could not be sent. `share` is 0 to 1; `preview` shows the file meanwhile. */
  upload:
    | null
    | { state: 'sending'; share: number; preview: string | null }
    | { state: 'failed'; message: string; source: PictureSource; /** Whether another try may help. */ retry: boolean };
}

/** The picture slots of one product form. Their uploads go on whatever else the form does. */
export interface Pictures {
  $slots: ReadableAtom<readonly PictureSlot[]>;
  /** Puts a picture into a slot: uploads a file or a data URL, keeps an address. */
  setPicture: (index: number, source: PictureSource) => void;
  /** Puts the first picture into this slot and the others into the empty ones; returns how many found no place. */
  place: (index: number, sources: readonly PictureSource[]) => number;
  /** Puts pictures into the empty slots, in order; returns how many found no place. */
  fill: (sources: readonly PictureSource[]) => number;
  retry: (index: number) => void;
  remove: (index: number) => void;
  move: (from: number, to: number) => void;
  describe: (index: number, alt: string) => void;
  /** Replaces all of them with what is stored. */
  reset: (images: readonly string[], alts: readonly string[]) => void;
  /** When nothing is being sent any more. */
  settled: () => Promise<void>;
  /** Stops what is being sent. */
  stop: () => void;
}

const count = shop.limits.imagesPerProduct;
let lastKey = 0;
const emptySlot = (): PictureSlot => ({ key: (lastKey += 1), entry: '', alt: '', upload: null });

function slotsOf(images: readonly string[], alts: readonly string[]): PictureSlot[] {
  return Array.from({ length: count }, (_, index) => ({ ...emptySlot(), entry: images[index] ?? '', alt: alts[index] ?? '' }));
}

function messageFor(error: unknown): string {
  if (error instanceof AdminError || error instanceof PictureError) return error.message;
  console.warn('A picture could not be sent', error);
  return 'This picture could not be sent.';
}

/** A picture that this browser cannot read, or that the server refuses for what it is, stays so. */
const retryHelps = (error: unknown): boolean =>
  !(error instanceof PictureError || (error instanceof AdminError && [400, 413, 415, 422].includes(error.status)));

/** Opens the slots of a form with the pictures that are stored. */
export function openPictures(images: readonly string[], alts: readonly string[]): Pictures {
  const $slots = atom<readonly PictureSlot[]>(slotsOf(images, alts));
  const under = new Map<number, { stop: AbortController; done: Promise<void> }>();

  const change = (key: number, next: Partial<PictureSlot>) => {
    $slots.set($slots.get().map((slot) => (slot.key === key ? { ...slot, ...next } : slot)));
  };
  const halt = (key: number) => {
    under.get(key)?.stop.abort();
    under.delete(key);
  };
  const send = async (key: number, source: PictureSource, signal: AbortSignal) => {
    const preview = typeof source === 'string' ? null : URL.createObjectURL(source);
    try {
      change(key, { entry: '', upload: { state: 'sending', share: 0, preview } });
      const file = typeof source === 'string' ? await pictureOfDataUrl(source) : await preparePicture(source);
      const onProgress = (share: number) => {
        if (!signal.aborted) change(key, { upload: { state: 'sending', share, preview } });
      };
      const entry = await uploadPicture(file, onProgress, signal);
      if (!signal.aborted) change(key, { entry, upload: null });
    } catch (error) {
      if (!signal.aborted) change(key, { upload: { state: 'failed', message: messageFor(error), source, retry: retryHelps(error) } });
    } finally {
      if (preview !== null) URL.revokeObjectURL(preview);
    }
  };
  const setPicture = (index: number, source: PictureSource) => {
    const key = $slots.get()[index]?.key;
    if (key === undefined) return;
    halt(key);
    if (typeof source === 'string' && isPictureAddress(source)) {
      change(key, { entry: source.trim(), upload: null });
      return;
    }
    const stop = new AbortController();
    const done = send(key, source, stop.signal).then(() => {
      if (under.get(key)?.stop === stop) under.delete(key);
    });
    under.set(key, { stop, done });
  };

  const fill = (sources: readonly PictureSource[]) => {
    const free = $slots.get().flatMap(({ entry, upload }, index) => (entry === '' && upload === null ? [index] : []));
    for (const [at, index] of free.entries()) {
      const source = sources[at];
      if (source !== undefined) setPicture(index, source);
    }
    return Math.max(0, sources.length - free.length);
  };

  return {
    $slots,
    setPicture,
    place: (index, [first, ...others]) => {
      if (first !== undefined) setPicture(index, first);
      return fill(others);
    },
    fill,
    retry: (index) => {
      const upload = $slots.get()[index]?.upload;
      if (upload?.state === 'failed') setPicture(index, upload.source);
    },
    remove: (index) => {
      const key = $slots.get()[index]?.key;
      if (key === undefined) return;
      halt(key);
      $slots.set($slots.get().map((slot) => (slot.key === key ? emptySlot() : slot)));
    },
    move: (from, to) => {
      const slots = [...$slots.get()];
      const [moved] = slots.splice(from, 1);
      if (!moved || to < 0 || to >= count) return;
      slots.splice(to, 0, moved);
      $slots.set(slots);
    },
    describe: (index, alt) => {
      const key = $slots.get()[index]?.key;
      if (key !== undefined) change(key, { alt });
    },
    reset: (stored, storedAlts) => {
      for (const key of [...under.keys()]) halt(key);
      $slots.set(slotsOf(stored, storedAlts));
    },
    settled: async () => {
      while (under.size > 0) await Promise.all([...under.values()].map(({ done }) => done));
    },
    stop: () => {
      for (const key of [...under.keys()]) halt(key);
    },
  };
}
