/** A part's body as text. Encodings other than base64 and quoted-printable are taken as they are. */
export function decodeBody(body: Buffer, encoding: string, charset: string): string {
  const kind = encoding.trim().toLowerCase();
  const ascii = body.toString('latin1');
  if (kind === 'base64') return decodeCharset(Buffer.from(ascii, 'base64'), charset);
  if (kind === 'quoted-printable') return decodeCharset(quotedPrintable(ascii.replace(/=[ \t]*\r?\n/gu, '')), charset);
  return decodeCharset(body, charset);
}

/** Header text with its encoded words (RFC 2047), e.g. `=?UTF-8?Q?=E2=82=B9699?=`. */
export function decodeHeader(header: string): string {
  return header
    .replace(/(\?=)\s+(?==\?)/gu, '$1')
    .replace(/=\?([^?]+)\?([bq])\?([^?]*)\?=/giu, (_word, charset: string, kind: string, text: string) =>
      decodeCharset(
        kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quotedPrintable(text.replaceAll('_', ' ')),
        charset,
      ),
    );
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9a-f]{2})/giu, (_sign, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function decodeCharset(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
