/*
 * The embedded stack speaks plain HTTP. Chromium and Firefox keep `Secure` cookies of http://localhost, Safari and WebKitGTK
 * do not (https://bugs.webkit.org/show_bug.cgi?id=281149): nobody could log in there. As a proxy in front of the functions
 * would, the stack takes the attribute and the prefix that requires it off each cookie, and puts the prefix back.
 */
const prefix = '__Host-';
const plainPrefix = 'plain-host-';

/** A `Set-Cookie` header of a function as a browser on plain HTTP stores it. */
export function toPlainCookie(header: string): string {
  if (!header.startsWith(prefix)) return header;
  return plainPrefix + header.slice(prefix.length).replace(/;\s*Secure(?=;|$)/iu, '');
}

/** A `Cookie` header from the browser as the functions expect it. */
export function fromPlainCookies(header: string): string {
  return header
    .split(/;\s*/u)
    .map((cookie) =>
      cookie.startsWith(plainPrefix) ? prefix + cookie.slice(plainPrefix.length) : cookie,
    )
    .join('; ');
}
