import * as z from 'zod/mini';
import { withSession } from '#services/admin/api.ts';
import { AdminError, noAnswer, refusal } from '#services/admin/admin-error.ts';

const uploadedSchema = z.object({
  path: z.string().check(z.regex(/^products\/[\w.-]+$/u)),
  width: z.int(),
  height: z.int(),
});

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** One try of an upload. XMLHttpRequest, because fetch does not tell how far it is. */
function send(
  image: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(noAnswer(null, true));
      return;
    }
    const request = new XMLHttpRequest();
    const stop = () => {
      request.abort();
    };
    request.open('POST', '/api/admin/images');
    request.setRequestHeader('content-type', image.type);
    request.timeout = 120_000;
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total === 0 ? 0 : loaded / total);
    });
    request.addEventListener('load', () => {
      const body = parseAnswer(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body);
      else reject(refusal(request.status, body));
    });
    request.addEventListener('error', () => {
      reject(noAnswer(null));
    });
    request.addEventListener('timeout', () => {
      reject(noAnswer(new DOMException('', 'TimeoutError')));
    });
    request.addEventListener('abort', () => {
      reject(noAnswer(null, true));
    });
    signal.addEventListener('abort', stop, { once: true });
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop);
    });
    request.send(image);
  });
}

/** Uploads an image; returns its path in the bucket, and its size there in pixels. `onProgress` gets 0 to 1. Throws AdminError. */
export async function uploadImage(
  image: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<z.infer<typeof uploadedSchema>> {
  const answer = uploadedSchema.safeParse(await withSession(() => send(image, onProgress, signal)));
  if (!answer.success)
    throw new AdminError('The upload’s answer could not be read.', 200, 'unreadable');
  return answer.data;
}
