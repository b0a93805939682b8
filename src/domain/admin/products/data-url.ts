import { isUrl } from '#domain/is-url.ts';
/** Parses an image in a data URL, `data:image/png;base64,…`. Null for anything else, and for invalid base64. */
export function readImageDataUrl(
  text: string,
): { type: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const match = /^data:(image\/[\w.+-]+);base64,([\w+/=\s-]+)$/iu.exec(text.trim());
  if (!match?.[1] || match[2] === undefined) return null;
  try {
    const binary = atob(match[2].replace(/\s/gu, ''));
    return {
      type: match[1].toLowerCase(),
      bytes: Uint8Array.from(binary, (letter) => letter.charCodeAt(0)),
    };
  } catch {
    return null;
  }
}

/** Whether a text is a valid image entry. */
export function isImageAddress(text: string): boolean {
  return /^https?:\/\/\S+$/iu.test(text.trim()) && isUrl(text.trim());
}
