import { createHash } from 'node:crypto';

/**
 * An answer of static content as a CDN gives it: with a validator, 304 for a browser that has it, and refused for
 * methods that only functions take. Redirects and errors stay as they are.
 */
export async function asStatic(request: Request, response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    await response.body?.cancel();
    return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD' } });
  }
  const content = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  const etag = `W/"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
  headers.set('etag', etag);
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  headers.set('content-length', String(content.byteLength));
  return new Response(content, { status: 200, headers });
}
