import { getCollection, type CollectionEntry, type CollectionKey } from 'astro:content';
import { fillAll } from '#domain/texts/facts.ts';
import { matchLines } from '#domain/texts/category-lines.ts';
import { policyParts, type PolicyPart } from '#domain/texts/policy-parts.ts';
import { turnstile } from '#services/environment.ts';

export type PolicyName = 'privacy' | 'returns' | 'terms' | 'shipping-policy';
type PageName = Exclude<CollectionKey, PolicyName | 'shop'>;

const fileOf = (name: PolicyName): string => `src/shop/texts/${name}.md`;

/** The entry of a file that the collection holds alone. */
async function entryOf<Name extends CollectionKey>(name: Name): Promise<CollectionEntry<Name>> {
  const [entry] = await getCollection(name);
  if (entry === undefined)
    throw new Error(
      `src/shop/texts has no file for "${name}". docs/texts.md has the list of files.`,
    );
  return entry;
}

/** The words of a page, with the settings' facts. Throws an Error for the owner when they name an unknown fact. */
export async function readTexts<Name extends PageName>(
  name: Name,
): Promise<CollectionEntry<Name>['data']> {
  const { data } = await entryOf(name);
  return fillAll(data, `src/shop/texts/${name}.yaml`);
}

/** The line of each category, and that of 'all'. Throws an Error for the owner when they are not those of the settings. */
export async function readCategoryLines(): Promise<Readonly<Record<string, string>>> {
  const file = 'src/shop/texts/shop.yaml';
  const { data } = await entryOf('shop');
  return matchLines(fillAll(data, file), file);
}

/** A policy: its sentence for search engines, and its text. Throws an Error for the owner when they name an unknown fact. */
export async function readPolicy(
  name: PolicyName,
): Promise<{ description: string; parts: PolicyPart[] }> {
  const { data, rendered } = await entryOf(name);
  const file = fileOf(name);
  return {
    ...fillAll(data, file),
    parts: policyParts(rendered?.html ?? '', file, turnstile.siteKey !== ''),
  };
}
