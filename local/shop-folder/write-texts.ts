import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import type { ShopFolder } from '#shop-schema/shop-schema.ts';

/** Writes neutral words to `folder` (`src/shop`) in place of the demo shop's; the policies stay, because their facts are the settings'. */
export async function writeTexts(folder: string, { categories }: ShopFolder): Promise<void> {
  const templates = join(import.meta.dirname, 'texts');
  await cp(templates, join(folder, 'texts'), { recursive: true });
  // JSON's quotes are YAML's, whatever a label has in it.
  const lines = categories.map(
    ({ slug, label }) => `${slug}: ${JSON.stringify(`${label}, chosen one by one.`)}`,
  );
  await writeFile(
    join(folder, 'texts/shop.yaml'),
    `# The line of each category, and of all.\nall: Every piece we have, ready to be sent.\n${lines.join('\n')}\n`,
  );
  const terms = join(folder, 'texts/terms.md');
  const text = await readFile(terms, 'utf8');
  await writeFile(
    terms,
    text
      .replace(`'silver-tone' or '${shopFolder.shop.name}'`, "or 'silver-tone'")
      // The demo shop sells nothing else.
      .replace(
        'a piece is fashion jewellery: base metal with plating.',
        'a piece is (replace) fashion jewellery: base metal with plating.',
      ),
  );
}
