/* The scripts and styles of a built site, by the line of browsers that they are for. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path, or page and place, to text. */
export type Files = ReadonlyMap<string, string>;
interface BuiltFiles {
  readonly scripts: Files;
  readonly styles: Files;
}

const inline = /<(?<tag>script|style)(?<attributes>(?:"[^"]*"|[^">])*)>(?<text>[^]*?)<\/\k<tag>>/gu;
const address = /[\w.-]+\.js(?=["'`?])/gu;

/** Reads a built site. `admin` has what no page but the owner's loads; everything else is the customers'. */
export function readBuiltFiles(dist: string): { customers: BuiltFiles; admin: BuiltFiles } {
  const read = (path: string): string => readFileSync(join(dist, path), 'utf8');
  const pages = globSync('**/*.html', { cwd: dist }).sort();
  const files = new Map(globSync('**/*.js', { cwd: dist }).map((path) => [path, read(path)]));
  const byName = new Map([...files.keys()].map((path) => [path.split('/').at(-1) ?? '', path]));
  const isAdmin = (path: string): boolean => /^admin[.-]/u.test(path);

  /** The script files that these pages load, at once or later. */
  const reachedFrom = (start: readonly string[]): Set<string> => {
    const reached = new Set<string>();
    const follow = (text: string): void => {
      for (const [name] of text.matchAll(address)) {
        const path = byName.get(name);
        if (path === undefined || reached.has(path)) continue;
        reached.add(path);
        follow(files.get(path) ?? '');
      }
    };
    for (const page of start) follow(read(page));
    return reached;
  };
  const ofCustomers = reachedFrom(pages.filter((page) => !isAdmin(page)));
  const ofAdmin = reachedFrom(pages.filter(isAdmin));
  const isForAdmin = (path: string): boolean =>
    isAdmin(path) || (ofAdmin.has(path) && !ofCustomers.has(path));

  /** Each text once, under the first page that has it. */
  const inlineOf = (tag: string, admin: boolean): Map<string, string> => {
    const texts = new Map<string, string>();
    for (const page of pages)
      for (const { groups } of isAdmin(page) === admin ? read(page).matchAll(inline) : [])
        if (groups?.['tag'] === tag && !/json|speculation/u.test(groups['attributes'] ?? ''))
          if (!texts.has(groups['text'] ?? '')) texts.set(groups['text'] ?? '', page);
    return new Map(
      [...texts].map(([text, page], index) => [`${page}, ${tag} ${String(index + 1)}`, text]),
    );
  };
  const part = (admin: boolean): BuiltFiles => ({
    scripts: new Map([
      ...inlineOf('script', admin),
      ...[...files].filter(([path]) => isForAdmin(path) === admin),
    ]),
    styles: inlineOf('style', admin),
  });
  return { customers: part(false), admin: part(true) };
}
