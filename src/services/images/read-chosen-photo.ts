import { ImageError, readPhoto } from './prepare-image.ts';

/** The photo, or why it cannot be sent, by its name. */
export async function readChosenPhoto(file: File): Promise<Blob | string> {
  try {
    return await readPhoto(file);
  } catch (error) {
    console.info('A photo cannot be read', error);
    const reason = error instanceof ImageError ? error.message : 'It could not be read.';
    return `${file.name}: ${reason}`;
  }
}
