import { AdminError } from '../../services/admin/admin-error.ts';
import { uploadImage } from '../../services/admin/images/upload-image.ts';
import { ImageError, prepareImage } from '../../services/images/prepare-image.ts';
import { failureMessage } from '../../islands/admin/shared/fetching/failure.ts';

/** The image files that were chosen for an import, found by name; each is uploaded once. */
export interface ImportImages {
  /** Adds files, and takes the place of one with the same name. */
  choose: (files: readonly File[]) => void;
  /** The entry of a file: its path, or before it is uploaded one that `upload` knows; null when it was not chosen. */
  entryOf: (fileName: string) => string | null;
  /** The names of the files that no entry of these belongs to. */
  unused: (entries: ReadonlySet<string>) => string[];
  count: () => number;
  /** Uploads those that are not yet; afterwards `entryOf` returns their paths. Throws AdminError, which names the file. */
  upload: (
    entries: ReadonlySet<string>,
    signal: AbortSignal,
    onProgress: (done: number, of: number) => void,
  ) => Promise<void>;
}

// Phones and spreadsheets write the same letters differently.
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();

export function createImportImages(): ImportImages {
  const chosen = new Map<string, { file: File; entry: string; uploaded: boolean }>();
  let last = 0;
  return {
    choose: (files) => {
      for (const file of files)
        chosen.set(keyOf(file.name), {
          file,
          entry: `products/chosen-${String((last += 1))}`,
          uploaded: false,
        });
    },
    entryOf: (fileName) => chosen.get(keyOf(fileName))?.entry ?? null,
    unused: (entries) =>
      [...chosen.values()].filter(({ entry }) => !entries.has(entry)).map(({ file }) => file.name),
    count: () => chosen.size,
    upload: async (entries, signal, onProgress) => {
      const waiting = [...chosen.values()].filter(
        ({ entry, uploaded }) => !uploaded && entries.has(entry),
      );
      for (const [done, image] of waiting.entries()) {
        onProgress(done, waiting.length);
        try {
          const file = await prepareImage(image.file);
          image.entry = (await uploadImage(file, () => undefined, signal)).path;
          image.uploaded = true;
        } catch (error) {
          if (signal.aborted)
            throw new AdminError(
              'Stopped: nothing was saved. Pictures that were already sent are not sent again.',
              0,
              'stopped',
            );
          const reason = error instanceof ImageError ? error.message : failureMessage(error);
          throw new AdminError(
            `The picture ${image.file.name} could not be sent, and nothing was saved. ${reason}`,
            0,
            'picture',
          );
        }
      }
    },
  };
}
