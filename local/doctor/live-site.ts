import { NotAsked, type Patient, ask } from './check.ts';

interface Page {
  status: number;
  headers: Headers;
  text: string;
}

const asked = new WeakMap<Patient, Map<string, Promise<Page>>>();

/** The origin of the deployed site. Throws NotAsked without one. */
export function siteOf({ site }: Patient): string {
  if (site === null)
    throw new NotAsked('there is no site to ask: give --site https://your-domain.');
  return site;
}

/** What the deployed site answers at a path, asked for once by all checks. Throws NotAsked when it cannot be reached. */
export async function readPage(patient: Patient, path: string): Promise<Page> {
  const site = siteOf(patient);
  const pages = asked.get(patient) ?? new Map<string, Promise<Page>>();
  asked.set(patient, pages);
  const read = async (): Promise<Page> => {
    const answer = await ask(new URL(path, site));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const page = pages.get(path) ?? read();
  pages.set(path, page);
  return page;
}

/** The same, for checks that another one precedes: throws NotAsked when the page is not there. */
export async function readFoundPage(patient: Patient, path: string): Promise<Page> {
  const page = await readPage(patient, path);
  if (page.status !== 200) throw new NotAsked(`${path} is not there.`);
  return page;
}
