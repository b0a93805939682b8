import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CashTerms } from '#domain/sums/payment-way.ts';
import { startOwnStack, type OwnStack } from '#tests/browser/support/own-stack.ts';
import { copyWithShop } from '#tests/copy-with-shop.ts';

/** Starts a stack of a copy of this project, whose shop has cash on delivery. */
export async function startCashShop(terms: CashTerms): Promise<OwnStack> {
  const copy = await copyWithShop('src/shop');
  const settings = join(copy, 'src/shop/delivery.ts');
  const own = (await readFile(settings, 'utf8')).replace('export const delivery', 'const own');
  await writeFile(
    settings,
    `${own}export const delivery = { ...own, cashOnDelivery: ${JSON.stringify(terms)} };\n`,
  );
  const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
  try {
    const stack = await startOwnStack({}, copy);
    return {
      ...stack,
      stop: async () => {
        await stack.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
