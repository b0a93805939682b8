import { callAdmin } from '#services/admin/api.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { uploadImage } from '#services/admin/images/upload-image.ts';
import { ImageError, prepareImage } from '#services/images/prepare-image.ts';
import { csvFileApi } from './domain/csv-file-api.ts';
import type { EntryOf } from './domain/import-cells.ts';

/** An image that could not be brought over: what the file says of it, and why. */
export interface FailedImage {
  /** The name of a file, or an address. */
  text: string;
  reason: string;
}

/** The images of an import: files that were chosen, and addresses in the file. Each is brought over once. */
export interface ImportImages {
  /** Adds files. One takes the place of a file, or of an address, that ends in its name. */
  choose: (files: readonly File[]) => void;
  /** The entry of a product's image: its path in the bucket, or before it is brought over one that `bring` knows. */
  entryOf: EntryOf;
  /** What a page can show for an entry. */
  addressOf: (entry: string) => string;
  /** The names of the files that no entry of these belongs to. */
  unused: (entries: ReadonlySet<string>) => string[];
  count: () => number;
  /** Leaves images out from now on. */
  leaveOut: (texts: readonly string[]) => void;
  /**
   * Brings the images of these entries over, some at a time. Afterwards `entryOf` returns their paths. Returns those that cannot be
   * had. Throws AdminError when the shop cannot be reached, or the signal was aborted.
   */
  bring: (
    entries: ReadonlySet<string>,
    signal: AbortSignal,
    onDone: () => void,
  ) => Promise<FailedImage[]>;
}

interface ImportedImage {
  text: string;
  from: File | string;
  /** The entry before it is stored, and the one that holds. */
  placeholder: string;
  entry: string;
  isStored: boolean;
  /** What a page shows of it; made when it is asked for. */
  shown?: string;
}

/** Images at once: a slow server does not delay the others. */
const atOnce = 4;

// Phones and spreadsheets write the same letters differently.
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();
const isAddress = (text: string): boolean => /^https?:\/\//iu.test(text);

/** The name of the file at an address; '' without one. */
function fileNameOf(address: string): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}

/** Pages that show a picture and are none. */
const sharePage =
  /^https?:\/\/(?:drive\.google\.com\/(?:file|drive|open|folders)|photos\.(?:google|app\.goo)|(?:www\.)?dropbox\.com\/s(?:cl|h)?\/(?!.*[?&](?:raw|dl)=1)|1drv\.ms|(?:www\.)?instagram\.com)/iu;

/** Whether the image itself is the reason, and not the way to the shop. */
const isOfImage = (error: unknown): error is AdminError | ImageError =>
  error instanceof ImageError ||
  (error instanceof AdminError && [400, 413, 415, 422].includes(error.status));

export function createImportImages(): ImportImages {
  const files = new Map<string, ImportedImage>();
  const addresses = new Map<string, ImportedImage>();
  const leftOut = new Set<string>();
  let last = 0;
  const add = (text: string, from: File | string): ImportedImage => {
    const placeholder = `products/new-${String((last += 1))}`;
    const image: ImportedImage = { text, from, placeholder, entry: placeholder, isStored: false };
    if (typeof from === 'string') addresses.set(text, image);
    else files.set(keyOf(text), image);
    return image;
  };
  const known = (): ImportedImage[] => [...files.values(), ...addresses.values()];

  async function store(image: ImportedImage, signal: AbortSignal): Promise<void> {
    image.entry =
      typeof image.from === 'string'
        ? (await callAdmin(csvFileApi.fetchImage, { body: { address: image.from }, signal })).path
        : (await uploadImage(await prepareImage(image.from), () => undefined, signal)).path;
    image.isStored = true;
  }

  return {
    choose: (chosen) => {
      for (const file of chosen) add(file.name, file);
    },
    entryOf: (text) => {
      if (leftOut.has(text)) return '';
      const name = isAddress(text) ? fileNameOf(text) : (text.split(/[/\\]/u).at(-1) ?? text);
      const file = files.get(keyOf(name));
      if (file) return file.entry;
      if (!isAddress(text))
        return { fault: `There is no “${name}” among the picture files that you chose` };
      if (sharePage.test(text))
        return {
          fault:
            'This address leads to a page that shows a picture, not to the picture. Download it, choose it here as a picture file, and write its name',
        };
      return (addresses.get(text) ?? add(text, text)).entry;
    },
    addressOf: (entry) => {
      const image = known().find((one) => one.entry === entry || one.placeholder === entry);
      if (!image) return entry;
      image.shown ??=
        typeof image.from === 'string'
          ? image.from.replace(/^http:/iu, 'https:')
          : URL.createObjectURL(image.from);
      return image.shown;
    },
    unused: (entries) =>
      [...files.values()].filter(({ entry }) => !entries.has(entry)).map(({ text }) => text),
    count: () => files.size,
    leaveOut: (texts) => {
      for (const text of texts) leftOut.add(text);
    },
    bring: async (entries, signal, onDone) => {
      const waiting = known().filter(({ entry, isStored }) => !isStored && entries.has(entry));
      const failed: FailedImage[] = [];
      const work = async (): Promise<void> => {
        for (let image = waiting.shift(); image; image = waiting.shift()) {
          try {
            await store(image, signal);
          } catch (error) {
            if (!isOfImage(error)) throw error;
            failed.push({ text: image.text, reason: error.message });
          }
          onDone();
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return failed;
    },
  };
}
