import {
  parseCardFiles,
  parseCards,
  parseIndex,
  parseSearchFile,
  type CardDetails,
  type IndexedProduct,
  type SearchFile,
} from '#domain/catalogue/listing/catalogue-index.ts';
import * as environment from '#services/environment.ts';
import { timeLimit } from '#services/time-limit.ts';

/** The site was rebuilt since the page was opened and no longer has the files that the page names. */
class ListingGoneError extends Error {
  override name = 'ListingGoneError';
}

/**
 * Fetches one file of the listing. A name belongs to one content in every deploy, so the address names no deploy and what
 * the browser has cached stays good. A file that the live deploy no longer has is fetched from the page's own. Throws
 * ListingGoneError when that is gone, too.
 */
async function fetchFile(name: string): Promise<unknown> {
  const address = `/_astro/${name}.json`;
  const request = (url: string): Promise<Response> => fetch(url, { signal: timeLimit(30_000) });
  let answer = await request(address);
  if (answer.status === 404 && environment.deployId !== '')
    answer = await request(`${address}?dpl=${encodeURIComponent(environment.deployId)}`);
  if (answer.status === 404) throw new ListingGoneError(`${name} is of another build`);
  if (!answer.ok) throw new Error(`${name} answered ${String(answer.status)}`);
  return answer.json();
}

export const fetchIndex = async (name: string): Promise<IndexedProduct[]> =>
  parseIndex(await fetchFile(name));

/** Fetches what only a search needs. */
export const fetchSearchFile = async (name: string): Promise<SearchFile> =>
  parseSearchFile(await fetchFile(name));

/** Fetches the list of the files of cards: their names in the order of the index. */
export const fetchCardFiles = async (name: string): Promise<string[]> =>
  parseCardFiles(await fetchFile(name));

export const fetchCards = async (name: string): Promise<CardDetails[]> =>
  parseCards(await fetchFile(name));
