import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listedWords } from '#domain/catalogue/listing/search-words.ts';
import { isGstin } from '#domain/checkout/gstin.ts';
import { states } from '#domain/checkout/postal-code.ts';
import type { ThemeSettings } from '#shop-schema/theme-schema.ts';
import { placeholdersIn } from './placeholders.ts';
import { unreadableColours } from './readable-colours.ts';
import { shopFolderSchema, type ShopFolder } from '#shop-schema/shop-schema.ts';

/** Files that pages, mails and feeds name, in `src/shop`, with the most that each may weigh, in KB. */
const files: Readonly<Record<string, number>> = {
  'logo.svg': 20,
  'public/favicon.svg': 20,
  'public/favicon.png': 20,
  'public/apple-touch-icon.png': 50,
  'public/icon-512.png': 100,
  'public/placeholder.svg': 20,
  'public/social-card.jpg': 300,
  'public/pictures/hero.webp': 800,
  'public/pictures/hero-phone.webp': 400,
  'public/pictures/about.webp': 600,
};

/** What is wrong with the settings of a shop, a sentence each, for the owner: 'tax.home.gstCode: give the two digits …'. */
export function faultsOf(settings: unknown): string[] {
  const parsed = shopFolderSchema.safeParse(settings);
  if (parsed.success) return contradictions(parsed.data);
  return parsed.error.issues.flatMap((issue) => {
    const at = issue.path.join('.');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) => `${[...issue.path, key].join('.')}: there is no such setting. Is it misspelt?`,
      );
    if (issue.code === 'invalid_key')
      return [`${at}: ${issue.issues[0]?.message ?? 'not allowed'}.`];
    return [`${at}: ${issue.message}.`];
  });
}

/** Facts that several settings tell, and differently. */
function contradictions({
  shop,
  seller,
  delivery,
  tax,
  categories,
  search,
  theme,
}: ShopFolder): string[] {
  const state = states.find(({ gstCode }) => gstCode === tax.home.gstCode);
  const slugs = categories.map(({ slug }) => slug);
  const gstin = tax.registration.kind === 'unregistered' ? null : tax.registration.gstin;
  const isExample = gstin?.includes('(example)') === true;
  const twice = slugs.filter((slug, index) => slugs.indexOf(slug) !== index);
  return [
    ...(seller.contact.emails[0] === shop.supportEmail
      ? []
      : ['seller.contact.emails: the first is shop.supportEmail. Give the same address in both.']),
    ...(shop.prefixes.invoice === shop.prefixes.creditNote
      ? [
          'shop.prefixes.creditNote: invoices begin with the same letters. Give credit notes others.',
        ]
      : []),
    ...(state?.name === tax.home.name
      ? []
      : [
          `tax.home.name: ${tax.home.gstCode} is the code of ${state?.name ?? 'no state'}, not of ${tax.home.name}.`,
        ]),
    ...(states.some(({ name }) => name === delivery.shipping.freeWithin)
      ? []
      : ['delivery.shipping.freeWithin: give the name of a state, as India Post has it.']),
    ...(gstin === null || isExample || isGstin(gstin)
      ? []
      : [
          'tax.registration.gstin: this is no GSTIN. Compare it with your registration certificate.',
        ]),
    ...(gstin === null || gstin.startsWith(tax.home.gstCode)
      ? []
      : [
          `tax.registration.gstin: it begins with another state's digits than ${tax.home.gstCode} (tax.home).`,
        ]),
    ...twice.map((slug) => `categories: ${slug} is there twice.`),
    ...slugs.flatMap((slug) =>
      slug in tax.byCategory
        ? []
        : [`tax.byCategory: ${slug} has no HSN code and rate. Add a line.`],
    ),
    ...Object.keys(tax.byCategory).flatMap((slug) =>
      slugs.includes(slug)
        ? []
        : [
            `tax.byCategory.${slug}: categories.ts has no such category. Remove the line, or add it there.`,
          ],
    ),
    ...searchFaults(search, slugs),
    ...unreadableColours(theme.colors),
  ];
}

/** Lines of the table of words that say the same twice, or that no search can use. */
function searchFaults(
  { synonyms, ignored }: ShopFolder['search'],
  slugs: readonly string[],
): string[] {
  const isIgnored = new Set(listedWords(ignored));
  return synonyms.flatMap(({ words, within }, line) => {
    const at = `search.synonyms.${String(line)}`;
    const listed = listedWords(words);
    const twice = listed.filter((word, index) => listed.indexOf(word) !== index);
    return [
      ...(within === undefined || slugs.includes(within)
        ? []
        : [`${at}.within: categories.ts has no category ${within}. Give the slug of one.`]),
      ...twice.map(
        (word) =>
          `${at}.words: "${word.trim()}" is there twice. Plurals, capitals and accents need no word of their own.`,
      ),
      ...listed
        .filter((word) => isIgnored.has(word))
        .map(
          (word) =>
            `${at}.words: "${word.trim()}" is in search.ignored, too. Remove it from one of the two.`,
        ),
    ];
  });
}

/** What is wrong with the files of a shop in `folder` (`src/shop`). */
export function missingFiles(folder: string, { theme }: { theme: ThemeSettings }): string[] {
  const fonts = Object.values(theme.fonts).map(({ file }) => [`public${file}`, 60] as const);
  return [...Object.entries(files), ...fonts].flatMap(([name, maxKb]) => {
    const file = join(folder, name);
    if (!existsSync(file)) return [`${name}: the file is missing.`];
    const kb = Math.round(statSync(file).size / 1_024);
    if (kb > maxKb)
      return [`${name}: ${String(kb)} KB make pages slow. At most ${String(maxKb)} KB, please.`];
    return name.endsWith('.svg') && !isSvg(readFileSync(file, 'utf8'))
      ? [`${name}: this is no SVG image. Export it as SVG again.`]
      : [];
  });
}

/** Whether a text is an SVG element, after what XML allows before it, with its end. */
const isSvg = (text: string): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<svg\b.*(?:<\/svg>|\/>)\s*$/su.test(
    text,
  );

/**
 * Throws one error with a sentence for each fault of the shop in `folder`. For customers (`isPublic`, a production build) a placeholder is
 * a fault, too.
 */
export function checkShop(
  folder: string,
  settings: { theme: ThemeSettings },
  isPublic = false,
): void {
  const faults = [
    ...faultsOf(settings),
    ...missingFiles(folder, settings),
    ...(isPublic ? placeholdersIn(folder) : []),
  ];
  if (faults.length > 0)
    throw new Error(
      `The shop in src/shop cannot be built${isPublic ? ' for customers' : ''}:\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
    );
}
