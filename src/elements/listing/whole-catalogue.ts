import type { Columns } from '../../domain/catalogue/catalogue-index.ts';
import type { Listing } from '../../domain/catalogue/listing.ts';
import {
  openListing,
  type ListingQuery,
  type ListingResult,
} from '../../domain/catalogue/listing-query.ts';
import {
  fetchAges,
  fetchDescriptions,
  fetchIndex,
} from '../../services/catalogue/fetch-listing.ts';

/** The index of the whole catalogue, with what is fetched to it later: the order by age, and the descriptions for a search. */
export class WholeCatalogue {
  readonly columns: Columns;
  readonly version: string;
  readonly #query: ListingQuery;
  readonly #withdrawn = new Set<number>();
  #hasAges = false;
  #asked = false;

  constructor(columns: Columns, version: string) {
    [this.columns, this.version] = [columns, version];
    this.#query = openListing(columns);
  }

  /** Fetches the index that the page names, and the ages when they are needed at once. Throws when it cannot be had. */
  static async open(version: string, needsAges: boolean): Promise<WholeCatalogue> {
    const [columns, ages] = await Promise.all([
      fetchIndex(version),
      needsAges ? fetchAges(version) : null,
    ]);
    const catalogue = new WholeCatalogue(columns, version);
    if (ages) catalogue.#addAges(ages);
    return catalogue;
  }

  /** How many products it has. */
  get count(): number {
    return this.columns.count - this.#withdrawn.size;
  }

  /** Whether a listing can be ordered as it asks; `fetchAges` brings what is missing. */
  canOrder({ sort }: Listing): boolean {
    return sort !== 'latest' || this.#hasAges;
  }

  /** Whether a listing's search has not seen the descriptions yet; `fetchDescriptions` brings them. */
  isSearching({ search }: Listing): boolean {
    return search.trim() !== '' && !this.#query.search.complete;
  }

  run(listing: Listing): ListingResult {
    const result = this.#query.run(listing);
    if (this.#withdrawn.size === 0) return result;
    return {
      ...result,
      positions: result.positions.filter((position) => !this.#withdrawn.has(position)),
    };
  }

  /** Leaves the product at this position out from now on. */
  withdraw(position: number): void {
    this.#withdrawn.add(position);
  }

  async fetchAges(): Promise<void> {
    this.#addAges(await fetchAges(this.version));
  }

  /** Fetches the descriptions. Returns null when they have been asked for. Without them names and categories are searched. */
  fetchDescriptions(): Promise<void> | null {
    if (this.#asked) return null;
    this.#asked = true;
    return fetchDescriptions(this.version)
      .catch((error: unknown) => {
        console.info('Descriptions cannot be searched', error);
        return '';
      })
      .then((text) => {
        this.#query.search.addDescriptions(text);
      });
  }

  #addAges(ages: readonly number[]): void {
    this.#query.addAges(ages);
    this.#hasAges = true;
  }
}
