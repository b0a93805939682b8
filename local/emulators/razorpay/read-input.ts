import { ProviderError } from './provider-error.ts';

/** A request's JSON or form fields. Throws ProviderError when the body is neither. */
export async function readInput(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  try {
    if (
      type.startsWith('application/x-www-form-urlencoded') ||
      type.startsWith('multipart/form-data')
    ) {
      return Object.fromEntries(await request.formData());
    }
    const text = await request.text();
    return text.trim() === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    throw new ProviderError('The request body could not be read');
  }
}

/** Whether the request comes from a plain HTML form, which wants a page back. */
export const isForm = (request: Request): boolean =>
  (request.headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
