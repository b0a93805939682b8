import { categories } from '#settings/categories.ts';

/**
 * The lines by category, after a comparison with the settings.
 * @throws with a sentence for the owner when a category has no line, or a line no category.
 */
export function matchLines(
  lines: Readonly<Record<string, string>>,
  file: string,
): Readonly<Record<string, string>> {
  const slugs = ['all', ...categories.map(({ slug }) => slug)];
  const missing = slugs.filter((slug) => !Object.hasOwn(lines, slug));
  if (missing.length > 0)
    throw new Error(`${file}: ${missing.join(', ')}: write a line, as for the other categories.`);
  const unknown = Object.keys(lines).filter((slug) => !slugs.includes(slug));
  if (unknown.length > 0)
    throw new Error(
      `${file}: ${unknown.join(', ')}: src/shop/categories.ts has no such category. Remove the line, or add the category there.`,
    );
  return lines;
}
