import { createHash } from 'node:crypto';
import {
  createCardFiles,
  createIndex,
  createSearchFile,
  inIndexOrder,
} from '../../domain/catalogue/listing/catalogue-index.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { search } from '../../settings/search.ts';
import { catalogue } from './built-catalogue.ts';

/** The part of the catalogue that a build computes once and every page shares. */
interface BuiltListing {
  /** In the order of the index: by name, those in stock first. */
  products: Product[];
  /** Stands in the names of the files; another one when anything in them is. */
  version: string;
  /** The files' contents by name, without '.json'. */
  files: ReadonlyMap<string, string>;
}

let built: Promise<BuiltListing> | undefined;

async function buildListing(): Promise<BuiltListing> {
  const products = inIndexOrder(await catalogue());
  const parts: [name: string, content: unknown][] = [
    ['catalogue', createIndex(products)],
    ['search', createSearchFile(products, search)],
    ...createCardFiles(products).map((cards, index): [string, unknown] => [
      `cards-${String(index)}`,
      cards,
    ]),
  ];
  const texts = parts.map(([name, content]): [string, string] => [name, JSON.stringify(content)]);
  const hash = createHash('sha256');
  for (const [name, text] of texts) hash.update(name).update('\0').update(text).update('\0');
  const version = hash.digest('base64url').replaceAll(/[-_]/gu, '').slice(0, 8);
  const files = new Map(texts.map(([name, text]) => [`${name}.${version}`, text]));
  return { products, version, files };
}

/** The listing of this build. Made once for all pages. */
export function builtListing(): Promise<BuiltListing> {
  built ??= buildListing();
  return built;
}
