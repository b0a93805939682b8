import * as v from '../validate.ts';
import type { Product } from './product.ts';

/** What a card shows beside what the index says of its product. */
export interface CardDetails {
  id: string;
  description: string;
  /** Units, when the site was built. */
  stock: number;
  /** Entries as in the database: paths in the bucket or addresses. */
  images: string[];
  /** It has sizes: its button leads to its page, where they are chosen. */
  sized: boolean;
}

/** Cards in one file: a page of the listing is two of them, results from all over the catalogue one each at most. */
export const cardsPerFile = 12;

const parseCards: v.Validator<CardDetails[]> = v.array(
  v.object({
    id: v.nonEmptyString,
    description: v.string,
    stock: v.nonNegativeInt,
    images: v.array(v.string),
    sized: (value) => value === true,
  }),
);

/** Reads a file of cards. Throws ValidationError. */
export const readCards = (value: unknown): CardDetails[] => parseCards(value);

/** The cards of products in the order of the index, a list for each file. */
export function cardFiles(
  products: readonly Product[],
): (Omit<CardDetails, 'sized'> & { sized?: true })[][] {
  const files: ReturnType<typeof cardFiles> = [];
  for (let start = 0; start < products.length; start += cardsPerFile) {
    files.push(
      products
        .slice(start, start + cardsPerFile)
        .map(({ id, description, stock, images, sizes }) => ({
          id,
          description,
          stock,
          images,
          ...(sizes.length > 0 ? { sized: true } : {}),
        })),
    );
  }
  return files;
}

/** The descriptions in the order of the index, one a line. */
export const encodeDescriptions = (products: readonly Product[]): string =>
  products.map(({ description }) => description.replaceAll(/\s+/gu, ' ').trim()).join('\n');
