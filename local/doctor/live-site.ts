import * as z from 'zod';
import { Skipped, type Target, ask } from './check.ts';

interface Page {
  status: number;
  headers: Headers;
  text: string;
}

/** What answers at the site's address in place of the shop. */
interface Stranger {
  kind: 'paused' | 'private' | 'another';
  /** One sentence, for the check that reports it. */
  fault: string;
  /** Why every other check of the site is skipped. */
  reason: string;
}

const isShop = (text: string): boolean => {
  try {
    return z.object({ version: z.number(), builtAt: z.string() }).safeParse(JSON.parse(text))
      .success;
  } catch {
    return false;
  }
};

/** Netlify says 503 with "Site not available" to browsers, and "usage exceeded" to programs. */
const pausedWords = /site not available|usage[ _]exceeded|reached its usage limits/iu;
/** Netlify documents no answer of a private project. Its older protections redirect to it, or answer 401 with a page of its own. */
const isLogin = ({ status, headers, text }: Page): boolean =>
  status === 401 ||
  status === 403 ||
  URL.parse(headers.get('location') ?? '')?.hostname.endsWith('netlify.com') === true ||
  (status === 200 && /netlify/iu.test(text) && /log[ -]?in|password/iu.test(text));

async function askPage(site: string, path: string): Promise<Page> {
  const answer = await ask(new URL(path, site));
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** A small file that only the shop's own build has. */
const ownFile = '/build.json';

async function findStranger(site: string): Promise<Stranger | null> {
  const page = await askPage(site, ownFile);
  if (page.status === 200 && isShop(page.text)) return null;
  if (page.status === 503 && pausedWords.test(page.text))
    return {
      kind: 'paused',
      fault:
        'The project is paused (“Site not available”): the credits of the month are used up. Netlify, Usage & billing: enable auto recharge or upgrade the plan. Until then nobody can buy, and no webhook arrives.',
      reason: 'the project is paused.',
    };
  if (isLogin(page))
    return {
      kind: 'private',
      fault:
        'The project is private: whoever is not logged in at Netlify gets its log-in, customers, Razorpay’s webhook and Supabase’s hook too. Netlify, Project configuration, General, Visitor access, Project visibility, Edit visibility: choose Public. It needs one successful production deploy.',
      reason: 'the project is private.',
    };
  return {
    kind: 'another',
    fault: `What answers at ${site} is not this shop: ${ownFile} is answered with ${String(page.status)}.`,
    reason: 'what answers there is not this shop.',
  };
}

const strangers = new WeakMap<Target, Promise<Stranger | null>>();
const fetched = new WeakMap<Target, Map<string, Promise<Page>>>();

/** The origin of the deployed site. Throws Skipped without one. */
export function siteOf({ site }: Target): string {
  if (site === null) throw new Skipped('there is no site to ask: give --site https://your-domain.');
  return site;
}

/** What answers in place of the shop, asked once for all checks; null for the shop. Throws Skipped when nothing does. */
export async function strangerAt(target: Target): Promise<Stranger | null> {
  const site = siteOf(target);
  const stranger = strangers.get(target) ?? findStranger(site);
  strangers.set(target, stranger);
  return stranger;
}

/**
 * The origin of the deployed site, for a check that sends a request to it. Netlify's log-in answers 401 as the shop does to strangers, so
 * no check may look at an answer before it is known that the shop gives it. Throws Skipped otherwise.
 */
export async function openSite(target: Target): Promise<string> {
  const stranger = await strangerAt(target);
  if (stranger !== null) throw new Skipped(stranger.reason);
  return siteOf(target);
}

/** The deployed site's response at a path, fetched once for all checks. Throws Skipped when the shop does not answer. */
export async function readPage(target: Target, path: string): Promise<Page> {
  const site = await openSite(target);
  const pages = fetched.get(target) ?? new Map<string, Promise<Page>>();
  fetched.set(target, pages);
  const page = pages.get(path) ?? askPage(site, path);
  pages.set(path, page);
  return page;
}

/** The same for checks that need the page: throws Skipped when it does not exist. */
export async function readFoundPage(target: Target, path: string): Promise<Page> {
  const page = await readPage(target, path);
  if (page.status !== 200) throw new Skipped(`${path} is not there.`);
  return page;
}

/** The status of a function's answer. Throws when it is not the shop's: each of its functions sends a request id. */
export async function askFunction(
  target: Target,
  path: string,
  init: RequestInit = {},
): Promise<number> {
  const { status, headers } = await ask(new URL(path, await openSite(target)), init);
  if (!headers.has('x-request-id'))
    throw new Error(
      `${path} is answered with ${String(status)}, by something else than this shop’s function.`,
    );
  return status;
}
