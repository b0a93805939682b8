import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { ShopFolder } from '#shop-schema/shop-schema.ts';
import { projectRoot } from '#local/shared/settings.ts';

type Part = keyof ShopFolder;

/** The files of `src/shop`: what each exports, with its type, and the line above. */
const files: Readonly<
  Record<
    string,
    { parts: readonly (readonly [Part, type: string])[]; about: string; schema?: string }
  >
> = {
  'shop.ts': {
    parts: [['shop', 'ShopSettings']],
    about:
      "The shop's name, numbers and fee. No secrets in this folder: most of it reaches browsers.",
  },
  'seller.ts': {
    parts: [
      ['seller', 'SellerSettings'],
      ['legal', 'LegalSettings'],
    ],
    about: 'The seller, and what the law asks a seller to print.',
  },
  'delivery.ts': {
    parts: [['delivery', 'DeliverySettings']],
    about: 'Shipping, refunds and the parcel.',
  },
  'tax.ts': {
    parts: [['tax', 'TaxSettings']],
    schema: 'tax-schema',
    about:
      'GST on what is sold. Prices include it. Confirm the codes and rates with the accountant before the first invoice.',
  },
  'categories.ts': {
    parts: [['categories', 'CategorySettings[]']],
    about:
      'In the order of the footer and of home. Their GST is in `tax.ts`, their words in `texts/shop.yaml`.',
  },
  'search.ts': {
    parts: [['search', 'SearchSettings']],
    schema: 'search-schema',
    about: 'What customers call your products, in every language and script that they type.',
  },
  'theme.ts': {
    parts: [['theme', 'ThemeSettings']],
    schema: 'theme-schema',
    about:
      'The look: colours and type. The logo is `logo.svg`, icons and pictures are in `public/`.',
  },
};

/**
 * Writes settings as the TypeScript files of `folder` (`src/shop`). A file whose settings are those of `before` stays as it is; the
 * comments of the others are lost.
 */
export async function writeSettings(
  folder: string,
  settings: ShopFolder,
  before?: ShopFolder,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const style = await resolveConfig(join(projectRoot, 'src/shop/shop.ts'));
  for (const [name, { parts, about, schema = 'shop-schema' }] of Object.entries(files)) {
    if (parts.every(([part]) => isDeepStrictEqual(settings[part], before?.[part]))) continue;
    const types = parts.map(([, type]) => type.replace('[]', ''));
    const source = [
      `import type { ${types.sort().join(', ')} } from '#shop-schema/${schema}.ts';\n`,
      `/** ${about} */`,
      ...parts.map(
        ([part, type]) => `export const ${part}: ${type} = ${JSON.stringify(settings[part])};\n`,
      ),
    ].join('\n');
    await writeFile(join(folder, name), await format(source, { ...style, parser: 'typescript' }));
  }
}
