/**
 * The id of a product that comes from another shop: always the same for what identifies it there, so that a file that is imported twice
 * adds it once. A UUID of version 8 (RFC 9562) from a SHA-256.
 */
export async function idOfKey(source: string | null, key: string): Promise<string> {
  const text = new TextEncoder().encode(`${source ?? 'list'}\n${key}`);
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
