import { join } from 'node:path';
import type { CashTerms } from '#domain/sums/payment-way.ts';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { formatRupees } from '#domain/money.ts';
import { demoImagesIn, placeholdersIn } from '#integrations/check-shop/placeholders.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { shop } from '#settings/shop.ts';
import { projectRoot } from '#local/shared/settings.ts';
import type { Check } from './check.ts';

/** What customers read of src/shop. */
export const shopFactsChecks: readonly Check[] = [
  {
    name: 'The seller, texts and images in src/shop are the real ones',
    run({ context }) {
      if (context !== 'production') return null;
      const folder = join(projectRoot, 'src/shop');
      const left = [...placeholdersIn(folder), ...demoImagesIn(folder)];
      return left.length === 0
        ? null
        : `${String(left.length)} are still examples:\n${left.map((sentence) => `- ${sentence}`).join('\n')}`;
    },
    fix: 'Edit these files of src/shop: the law asks a seller to print name, address, GSTIN and grievance officer.',
  },
];

/** Where cash on delivery is cheaper than paying online, by the terms: one sentence for the owner; null when it never is. */
export function cheaperCash(
  cash: CashTerms | null = cashOnDelivery,
  feeBps: number = shop.platformFeeBps,
): [string] | null {
  if (cash === null || cash.platformFee || feeBps === 0) return null;
  const largest = cash.maxTotal - cash.charge;
  const saved = platformFee(largest, feeBps) - cash.charge;
  if (saved <= 0) return null;
  const from = Math.ceil((cash.charge * 10_000) / feeBps);
  return [
    `src/shop/delivery.ts, cashOnDelivery: from a cart of ${formatRupees(from)} it is cheaper to pay at the door than online, by ${formatRupees(saved)} for the largest. If you do not mean that, set platformFee to true, or raise the charge.`,
  ];
}
