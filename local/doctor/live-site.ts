import { Skipped, type Target, ask } from './check.ts';

interface Page {
  status: number;
  headers: Headers;
  text: string;
}

const fetched = new WeakMap<Target, Map<string, Promise<Page>>>();

/** The origin of the deployed site. Throws Skipped without one. */
export function siteOf({ site }: Target): string {
  if (site === null) throw new Skipped('there is no site to ask: give --site https://your-domain.');
  return site;
}

/** The deployed site's response at a path, fetched once for all checks. Throws Skipped when it cannot be reached. */
export async function readPage(target: Target, path: string): Promise<Page> {
  const site = siteOf(target);
  const pages = fetched.get(target) ?? new Map<string, Promise<Page>>();
  fetched.set(target, pages);
  const read = async (): Promise<Page> => {
    const answer = await ask(new URL(path, site));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const page = pages.get(path) ?? read();
  pages.set(path, page);
  return page;
}

/** The same for checks that need the page: throws Skipped when it does not exist. */
export async function readFoundPage(target: Target, path: string): Promise<Page> {
  const page = await readPage(target, path);
  if (page.status !== 200) throw new Skipped(`${path} is not there.`);
  return page;
}
