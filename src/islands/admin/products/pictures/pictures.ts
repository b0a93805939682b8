import { atom, type ReadableAtom } from 'nanostores';
import { isPictureAddress } from '../../../../domain/admin/products/data-url.ts';
import { uploadPicture } from '../../../../services/admin/pictures/images.ts';
import { needsCut } from '../../../../services/admin/pictures/cut-picture.ts';
import { pictureOfDataUrl, preparePicture } from '../../../../services/pictures/prepare-picture.ts';
import {
  emptySlot,
  messageFor,
  retryHelps,
  slotCount,
  slotsOf,
  type PictureSlot,
  type PictureSource,
} from './picture-slot.ts';

/** The picture slots of one product form. Their uploads go on whatever else the form does. */
export interface Pictures {
  $slots: ReadableAtom<readonly PictureSlot[]>;
  /** Puts a picture into a slot: uploads a file or a data URL, keeps an address. One that is not square waits for `answer`. */
  setPicture: (index: number, source: PictureSource) => void;
  /** The file to send of the requested image, or that was sent before: the file as it was cut, or null to leave it out. */
  answer: (key: number, cut: Blob | null) => void;
  /** Puts the first picture into this slot and the others into the empty ones; returns how many did not fit. */
  place: (index: number, sources: readonly PictureSource[]) => number;
  /** Puts pictures into the empty slots, in order; returns how many did not fit. */
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

/** Opens the slots of a form with the pictures that are stored. */
export function openPictures(images: readonly string[], alts: readonly string[]): Pictures {
  const $slots = atom<readonly PictureSlot[]>(slotsOf(images, alts));
  const under = new Map<number, { stop: AbortController; done: Promise<void> }>();
  const answers = new Map<number, (cut: Blob | null) => void>();

  const change = (key: number, next: Partial<PictureSlot>) => {
    $slots.set($slots.get().map((slot) => (slot.key === key ? { ...slot, ...next } : slot)));
  };
  const halt = (key: number) => {
    under.get(key)?.stop.abort();
    under.delete(key);
    answers.get(key)?.(null);
    answers.delete(key);
  };
  /** Waits for what is to be sent of a picture that is not square; null when it is left out. */
  const ask = (key: number, source: Blob) =>
    new Promise<Blob | null>((resolve) => {
      answers.set(key, resolve);
      change(key, { upload: { state: 'asking', source } });
    });
  const send = async (
    key: number,
    given: PictureSource,
    signal: AbortSignal,
    original: Blob | null,
  ) => {
    let source = given;
    let preview: string | null = null;
    try {
      change(key, { entry: '', upload: { state: 'sending', share: 0, preview } });
      if (typeof source === 'string') source = await pictureOfDataUrl(source);
      change(key, { original: original ?? source });
      if (original === null && (await needsCut(source)) && !signal.aborted) {
        const cut = await ask(key, source);
        if (cut === null) return;
        source = cut;
      }
      preview = URL.createObjectURL(source);
      if (!signal.aborted) change(key, { upload: { state: 'sending', share: 0, preview } });
      const file = await preparePicture(source);
      const onProgress = (share: number) => {
        if (!signal.aborted) change(key, { upload: { state: 'sending', share, preview } });
      };
      const entry = await uploadPicture(file, onProgress, signal);
      if (!signal.aborted) change(key, { entry, upload: null });
    } catch (error) {
      if (!signal.aborted)
        change(key, {
          upload: { state: 'failed', message: messageFor(error), source, retry: retryHelps(error) },
        });
    } finally {
      if (preview !== null) URL.revokeObjectURL(preview);
    }
  };
  const start = (key: number, source: PictureSource, original: Blob | null) => {
    halt(key);
    const stop = new AbortController();
    const done = send(key, source, stop.signal, original).then(() => {
      if (under.get(key)?.stop === stop) under.delete(key);
    });
    under.set(key, { stop, done });
  };
  const setPicture = (index: number, source: PictureSource) => {
    const key = $slots.get()[index]?.key;
    if (key === undefined) return;
    if (typeof source === 'string' && isPictureAddress(source)) {
      halt(key);
      change(key, { entry: source.trim(), original: null, upload: null });
    } else start(key, source, null);
  };
  const clear = (key: number) => {
    halt(key);
    $slots.set($slots.get().map((slot) => (slot.key === key ? emptySlot() : slot)));
  };

  const fill = (sources: readonly PictureSource[]) => {
    const free = $slots
      .get()
      .flatMap(({ entry, upload }, index) => (entry === '' && upload === null ? [index] : []));
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
    answer: (key, cut) => {
      const slot = $slots.get().find((known) => known.key === key);
      const asked = answers.get(key);
      answers.delete(key);
      if (asked && cut) asked(cut);
      else if (asked) clear(key);
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
