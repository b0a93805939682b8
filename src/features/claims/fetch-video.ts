import { AdminError } from '#services/admin/admin-error.ts';
import { timeLimit } from '#services/time-limit.ts';

/** The parts of a video as one, to be played. Throws AdminError when a part cannot be fetched. */
export async function fetchVideo(parts: readonly string[]): Promise<Blob> {
  const blobs: Blob[] = [];
  for (const address of parts) {
    const response = await fetch(address, { signal: timeLimit(120_000) }).catch(() => null);
    if (response?.ok !== true)
      throw new AdminError('The video could not be loaded. Load the page again.', 0, 'no_video');
    blobs.push(await response.blob());
  }
  // The container's own first bytes tell the browser what it is.
  return new Blob(blobs, { type: 'video/mp4' });
}
