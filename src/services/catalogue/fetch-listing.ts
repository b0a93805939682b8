import {
  parseCards,
  parseIndex,
  parseSearchFile,
  type CardDetails,
  type IndexedProduct,
  type SearchFile,
} from '../../domain/catalogue/listing/catalogue-index.ts';
import { environment } from '../environment.ts';
import { timeLimit } from '../time-limit.ts';

/** The site was rebuilt since the page was opened and no longer has the files that the page names. */
class ListingGoneError extends Error {
  override name = 'ListingGoneError';
}

/** Fetches one file of the listing. Throws ListingGoneError after a rebuild. */
async function fetchFile(name: string, version: string): Promise<unknown> {
  const deploy =
    environment.deployId === '' ? '' : `?dpl=${encodeURIComponent(environment.deployId)}`;
  const answer = await fetch(`/_astro/${name}.${version}.json${deploy}`, {
    signal: timeLimit(30_000),
  });
  if (answer.status === 404) throw new ListingGoneError(`${name} is of another build`);
  if (!answer.ok) throw new Error(`${name} answered ${String(answer.status)}`);
  return answer.json();
}

export const fetchIndex = async (version: string): Promise<IndexedProduct[]> =>
  parseIndex(await fetchFile('catalogue', version));

/** Fetches what only a search needs. */
export const fetchSearchFile = async (version: string): Promise<SearchFile> =>
  parseSearchFile(await fetchFile('search', version));

/** Fetches the file of cards with this number. */
export const fetchCards = async (version: string, file: number): Promise<CardDetails[]> =>
  parseCards(await fetchFile(`cards-${String(file)}`, version));
