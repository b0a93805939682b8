import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { projectRoot } from '../shared/settings.ts';
import { StartError } from '../shared/start-error.ts';

/** The two files in which a shop of 1.1.0 or before had its settings. */
export const oldFiles = ['src/shop.config.ts', 'src/seller.config.ts'] as const;

const values = z.record(z.string(), z.unknown());
const oldShopSchema = z.looseObject({
  supportEmail: z.string(),
  shippingLabel: z.string(),
  reviews: values,
  shop: z.looseObject({
    name: z.string(),
    orderPrefix: z.string(),
    platformFeeBps: z.number(),
    limits: z.record(z.string(), z.number()),
  }),
  tax: values,
  legal: z.looseObject({ gstin: z.string() }),
});
const oldSellerSchema = z.looseObject({
  seller: z.looseObject({ shipping: z.looseObject({ label: z.string() }), refunds: values }),
  parcel: values,
});
export type OldSettings = z.infer<typeof oldShopSchema> & z.infer<typeof oldSellerSchema>;

const show = (ref: string, file: string): string => {
  try {
    return execFileSync('git', ['show', `${ref}:${file}`], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new StartError(
      `${ref} has no ${file}. Name the commit of your shop before this upgrade: --from COMMIT.`,
    );
  }
};

/**
 * The settings of a shop of 1.1.0 at a commit. The files are programs of the shop's own repository, and are run.
 * @throws {StartError} when the commit has none, or they cannot be read
 */
export async function readOldSettings(ref: string): Promise<OldSettings> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-settings-'));
  try {
    const [shopFile, sellerFile] = oldFiles.map((file) => join(folder, file.slice('src/'.length)));
    for (const file of oldFiles)
      await writeFile(join(folder, file.slice('src/'.length)), show(ref, file));
    const load = async (file = ''): Promise<unknown> => import(pathToFileURL(file).href);
    return {
      ...oldShopSchema.parse(await load(shopFile)),
      ...oldSellerSchema.parse(await load(sellerFile)),
    };
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new StartError(
        `The settings of ${ref} are not those of 1.1.0: ${z.prettifyError(error)}`,
      );
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
