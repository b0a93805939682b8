import { decodeAges, decodeIndex, type Columns } from '../../domain/catalogue/catalogue-index.ts';
import { readCards, type CardDetails } from '../../domain/catalogue/listing-cards.ts';
import * as v from '../../domain/validate.ts';
import { environment } from '../environment.ts';

/** The site was built anew since the page was opened, and no longer has the files that the page names. */
class ListingGoneError extends Error {
  override name = 'ListingGoneError';
}

/** One file of the listing. Throws ListingGoneError, or another error when it cannot be had. */
async function fetchFile(name: string, version: string): Promise<unknown> {
  const deploy =
    environment.deployId === '' ? '' : `?dpl=${encodeURIComponent(environment.deployId)}`;
  const answer = await fetch(`/_astro/${name}.${version}.json${deploy}`, {
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.status === 404) throw new ListingGoneError(`${name} is of another build`);
  if (!answer.ok) throw new Error(`${name} answered ${String(answer.status)}`);
  return answer.json();
}

export const fetchIndex = async (version: string): Promise<Columns> =>
  decodeIndex(await fetchFile('catalogue', version));

/** How many products are newer than each. */
export const fetchAges = async (version: string): Promise<number[]> =>
  decodeAges(await fetchFile('ages', version));

/** The descriptions, one a line. */
export const fetchDescriptions = async (version: string): Promise<string> =>
  v.string(await fetchFile('descriptions', version));

/** The cards of the file with this number. */
export const fetchCards = async (version: string, file: number): Promise<CardDetails[]> =>
  readCards(await fetchFile(`cards-${String(file)}`, version));
