import { atom, type ReadableAtom } from 'nanostores';
import { minFeedSide } from '#domain/image.ts';
import { isImageAddress } from '#domain/admin/products/data-url.ts';
import { uploadImage } from '#services/admin/images/upload-image.ts';
import { needsCut } from '#services/admin/images/cut-image.ts';
import { imageOfDataUrl, prepareImage } from '#services/images/prepare-image.ts';
import {
  emptySlot,
  messageFor,
  retryHelps,
  slotCount,
  slotsOf,
  type ImageSlot,
  type ImageSource,
} from './image-slot.ts';

/** The image slots of one product form. Their uploads go on whatever else the form does. */
export interface Images {
  $slots: ReadableAtom<readonly ImageSlot[]>;
  /** Puts an image into a slot: uploads a file or a data URL, stores an address as it is. One that is not square waits for `answer`. */
  setImage: (index: number, source: ImageSource) => void;
  /** The file to send of the requested image, or that was sent before: the file as it was cut, or null to leave it out. */
  answer: (key: number, cut: Blob | null) => void;
  /** Puts the first image into this slot and the others into the empty ones; returns how many did not fit. */
  place: (index: number, sources: readonly ImageSource[]) => number;
  /** Puts images into the empty slots, in order; returns how many did not fit. */
  fill: (sources: readonly ImageSource[]) => number;
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

/** The slots of a form, with the images that are stored. */
export function createImages(images: readonly string[], alts: readonly string[]): Images {
  const $slots = atom<readonly ImageSlot[]>(slotsOf(images, alts));
  const under = new Map<number, { stop: AbortController; done: Promise<void> }>();
  const answers = new Map<number, (cut: Blob | null) => void>();

  const change = (key: number, next: Partial<ImageSlot>) => {
    $slots.set($slots.get().map((slot) => (slot.key === key ? { ...slot, ...next } : slot)));
  };
  const halt = (key: number) => {
    under.get(key)?.stop.abort();
    under.delete(key);
    answers.get(key)?.(null);
    answers.delete(key);
  };
  /** Waits for what is to be sent of an image that is not square; null when it is left out. */
  const ask = (key: number, source: Blob) =>
    new Promise<Blob | null>((resolve) => {
      answers.set(key, resolve);
      change(key, { upload: { state: 'asking', source } });
    });
  const send = async (
    key: number,
    given: ImageSource,
    signal: AbortSignal,
    original: Blob | null,
  ) => {
    let source = given;
    let preview: string | null = null;
    try {
      change(key, { entry: '', small: false, upload: { state: 'sending', share: 0, preview } });
      if (typeof source === 'string') source = await imageOfDataUrl(source);
      change(key, { original: original ?? source });
      if (original === null && (await needsCut(source)) && !signal.aborted) {
        const cut = await ask(key, source);
        if (cut === null) return;
        source = cut;
      }
      preview = URL.createObjectURL(source);
      if (!signal.aborted) change(key, { upload: { state: 'sending', share: 0, preview } });
      const file = await prepareImage(source);
      const onProgress = (share: number) => {
        if (!signal.aborted) change(key, { upload: { state: 'sending', share, preview } });
      };
      const { path, width, height } = await uploadImage(file, onProgress, signal);
      const small = Math.min(width, height) < minFeedSide;
      if (!signal.aborted) change(key, { entry: path, small, upload: null });
    } catch (error) {
      if (!signal.aborted)
        change(key, {
          upload: { state: 'failed', message: messageFor(error), source, retry: retryHelps(error) },
        });
    } finally {
      if (preview !== null) URL.revokeObjectURL(preview);
    }
  };
  const start = (key: number, source: ImageSource, original: Blob | null) => {
    halt(key);
    const stop = new AbortController();
    const done = send(key, source, stop.signal, original).then(() => {
      if (under.get(key)?.stop === stop) under.delete(key);
    });
    under.set(key, { stop, done });
  };
  const setImage = (index: number, source: ImageSource) => {
    const key = $slots.get()[index]?.key;
    if (key === undefined) return;
    if (typeof source === 'string' && isImageAddress(source)) {
      halt(key);
      change(key, { entry: source.trim(), small: false, original: null, upload: null });
    } else start(key, source, null);
  };
  const clear = (key: number) => {
    halt(key);
    $slots.set($slots.get().map((slot) => (slot.key === key ? emptySlot() : slot)));
  };

  const fill = (sources: readonly ImageSource[]) => {
    const free = $slots
      .get()
      .flatMap(({ entry, upload }, index) => (entry === '' && upload === null ? [index] : []));
    for (const [at, index] of free.entries()) {
      const source = sources[at];
      if (source !== undefined) setImage(index, source);
    }
    return Math.max(0, sources.length - free.length);
  };

  return {
    $slots,
    setImage,
    place: (index, [first, ...others]) => {
      if (first !== undefined) setImage(index, first);
      return fill(others);
    },
    fill,
    answer: (key, cut) => {
      const slot = $slots.get().find((known) => known.key === key);
      const answer = answers.get(key);
      answers.delete(key);
      if (answer && cut) answer(cut);
      else if (answer) clear(key);
      else if (cut && slot?.original) start(key, cut, slot.original);
    },
    retry: (index) => {
      const slot = $slots.get()[index];
      // An image that was cut already is not requested again.
      if (slot?.upload?.state === 'failed') start(slot.key, slot.upload.source, slot.original);
    },
    remove: (index) => {
      const key = $slots.get()[index]?.key;
      if (key !== undefined) clear(key);
    },
    move: (from, to) => {
      const slots = [...$slots.get()];
      const [moved] = slots.splice(from, 1);
      if (!moved || to < 0 || to >= slotCount) return;
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
