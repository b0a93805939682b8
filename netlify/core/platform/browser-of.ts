/** What browsers call themselves, the special before the general: each also names those that it is like. */
const names: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Samsung Internet', /SamsungBrowser\/(?<version>\d+(?:\.\d+)?)/u],
  ['Edge', /Edg\w*\/(?<version>\d+)/u],
  ['Firefox', /(?:Firefox|FxiOS)\/(?<version>\d+)/u],
  ['Chrome', /(?:Chrome|CriOS)\/(?<version>\d+)/u],
  ['Safari', /Version\/(?<version>\d+(?:\.\d+)?).* Safari/u],
];

/** The browser's name and version by its user agent, e.g. `Safari 15.6`; `other` of what is none of the usual ones. */
export function browserOf(userAgent: string): string {
  for (const [name, pattern] of names) {
    const version = pattern.exec(userAgent)?.groups?.['version'];
    if (version !== undefined) return `${name} ${version}`;
  }
  return 'other';
}
