/* Which features the declared browsers lack, by MDN's compatibility data. */
import mdn, {
  type BrowserName,
  type CompatStatement,
  type Identifier,
  type SimpleSupportStatement,
} from '@mdn/browser-compat-data' with { type: 'json' };
import type { BrowserLine } from '#domain/browsers.ts';

export const { api, css, javascript } = mdn;

const namesInData: Readonly<Record<keyof BrowserLine, readonly BrowserName[]>> = {
  chrome: ['chrome', 'chrome_android', 'edge'],
  samsungInternet: ['samsunginternet_android'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari', 'safari_ios'],
};

/** The browsers of a line with their oldest versions, by MDN's names. */
const browsersOf = (line: Partial<BrowserLine>): Map<BrowserName, string> =>
  new Map(
    (Object.keys(namesInData) as (keyof BrowserLine)[]).flatMap((engine) =>
      namesInData[engine].flatMap((name) => {
        const version = line[engine];
        return version === undefined ? [] : [[name, version] as const];
      }),
    ),
  );

/** Whether the first version came after the second. */
function isLater(first: string, second: string): boolean {
  const [a, b] = [first, second].map((text) => text.replace('≤', '').split('.').map(Number));
  for (const [at, part] of (a ?? []).entries()) {
    const difference = part - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

const isInVersion = (support: SimpleSupportStatement, version: string): boolean => {
  const { version_added: added, version_removed: removed } = support;
  if (added === false || added === 'preview' || isLater(added, version)) return false;
  if (support.flags ?? support.prefix ?? support.alternative_name) return false;
  return removed === undefined || removed === 'preview' || isLater(removed, version);
};

/**
 * The browsers of the line that lack a feature in their oldest version, e.g. `safari 15.6`; none of a feature that the data does
 * not know.
 * @param whole - Counts support that MDN calls partial as missing.
 */
export function lackedBy(
  feature: { readonly __compat?: CompatStatement } | undefined,
  line: Partial<BrowserLine>,
  whole = false,
): string[] {
  const support = feature?.__compat?.support;
  if (!support) return [];
  return [...browsersOf(line)]
    .filter(([name, version]) => {
      const statements = support[name];
      return (
        statements !== undefined &&
        ![statements]
          .flat()
          .some(
            (each) =>
              isInVersion(each, version) && !(whole && each.partial_implementation === true),
          )
      );
    })
    .map(([name, version]) => `${name} ${version}`);
}

export interface Member {
  /** `Element`, `Promise`. */
  readonly owner: string;
  /** `checkVisibility`, `withResolvers`; empty for the interface itself. */
  readonly name: string;
  /** Marks a member of the interface itself, such as `Response.json`, beside which there is another `json`. */
  readonly isStatic: boolean;
  readonly feature: Identifier;
}

/** All interfaces of browsers and of the language, and their members. */
export const members: readonly Member[] = [api, javascript['builtins'] ?? {}].flatMap((owners) =>
  Object.entries(owners as Record<string, Identifier>).flatMap(([owner, content]) =>
    Object.entries(content as Record<string, Identifier>).flatMap(([key, feature]): Member[] => {
      if (key === '__compat') return [{ owner, name: '', isStatic: false, feature: content }];
      // Events and options are parts of a member that has a name of its own.
      if (key.endsWith('_event')) return [];
      const name = key.replace(/_static$/u, '');
      return [{ owner, name, isStatic: name !== key, feature }];
    }),
  ),
);

/** The release of each browser that brought a member, as one text to compare. */
export const releasesOf = ({ feature }: Member): string =>
  JSON.stringify(
    Object.values(feature.__compat?.support ?? {}).map(
      (statements) => [statements].flat().at(-1)?.version_added,
    ),
  );
