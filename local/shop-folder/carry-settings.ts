import type { ShopFolder } from '../../src/shop-schema/shop-schema.ts';
import type { OldSettings } from './read-settings-1.1.ts';

/** What was carried over, and what a person has to do. A sentence each. */
export interface Carried {
  settings: ShopFolder;
  sentences: string[];
  toDo: string[];
}

/** Where each setting of 1.1.0 is now. Paths as 'shop.limits.lowStockBelow'. A setting that is not here is the engine's now. */
const moves: readonly (readonly [before: string, now: string])[] = [
  ['supportEmail', 'shop.supportEmail'],
  ['shippingLabel', 'shop.shippingLabel'],
  ['reviews', 'shop.reviews'],
  ['shop.name', 'shop.name'],
  ['shop.platformFeeBps', 'shop.platformFeeBps'],
  ['shop.limits.lowStockBelow', 'shop.lowStockBelow'],
  ['tax.home', 'tax.home'],
  ['tax.byCategory', 'tax.byCategory'],
  ['tax.byHsn', 'tax.byHsn'],
  ['tax.hsnNames', 'tax.hsnNames'],
  ['tax.otherwise', 'tax.otherwise'],
  ['tax.fee', 'tax.fee'],
  ['legal.form', 'legal.form'],
  ['legal.proprietor', 'legal.proprietor'],
  ['legal.address', 'legal.address'],
  ['legal.grievanceOfficer', 'legal.grievanceOfficer'],
  ['legal.courts', 'legal.courts'],
  ['legal.policiesUpdated', 'legal.policiesUpdated'],
  ['seller.legalName', 'seller.legalName'],
  ['seller.tagline', 'seller.tagline'],
  ['seller.description', 'seller.description'],
  ['seller.contact', 'seller.contact'],
  ['seller.founder', 'seller.founder'],
  ['seller.answersWithin', 'seller.answersWithin'],
  ['seller.shipping.freeWithin', 'delivery.shipping.freeWithin'],
  ['seller.shipping.processing', 'delivery.shipping.processing'],
  ['seller.shipping.standard', 'delivery.shipping.standard'],
  ['seller.shipping.express', 'delivery.shipping.express'],
  ['seller.shipping.damageHours', 'delivery.shipping.damageHours'],
  ['seller.shipping.claimFilesMegabytes', 'delivery.shipping.claimFilesMegabytes'],
  ['seller.shipping.lostAfterDays', 'delivery.shipping.lostAfterDays'],
  ['seller.refunds', 'delivery.refunds'],
  ['parcel', 'delivery.parcel'],
];
/** Settings of 1.1.0 that no shop sets any more: SQL has had them by itself. */
const engineSettings = [
  'shop.limits.featured',
  'shop.limits.imagesPerProduct',
  'shop.limits.minAmountPaise',
  'shop.limits.maxAmountPaise',
  'shop.limits.cartLines',
  'shop.limits.unitsPerOrder',
] as const;

const valueAt = (root: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step],
      root,
    );

function setValue(root: object, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const place = valueAt(root, steps.join('.'));
  (place as Record<string, unknown>)[last] = value;
}

const asText = (value: unknown): string => JSON.stringify(value);

/**
 * The settings of `current` with everything that a shop of 1.1.0 had changed. `released` has what 1.1.0 came with: what is the same there
 * is left as it is now.
 */
export function carrySettings(
  current: ShopFolder,
  old: OldSettings,
  released: OldSettings,
): Carried {
  const settings = structuredClone(current);
  const sentences: string[] = [];
  const toDo: string[] = [];
  const isChanged = (path: string): boolean =>
    asText(valueAt(old, path)) !== asText(valueAt(released, path));
  for (const [before, now] of moves) {
    const value = valueAt(old, before);
    if (value === undefined || !isChanged(before)) continue;
    setValue(settings, now, structuredClone(value));
    sentences.push(`${before} is ${now} now: ${asText(value)}.`);
  }
  if (isChanged('legal.gstin')) {
    settings.tax.registration = { kind: 'regular', gstin: old.legal.gstin };
    sentences.push(`legal.gstin is tax.registration.gstin now: ${asText(old.legal.gstin)}.`);
  }
  if (isChanged('shop.orderPrefix'))
    toDo.push(
      `shop.orderPrefix was ${asText(old.shop.orderPrefix)}, and orders began with KSV- all the same. If you want another one from now on, set shop.prefixes.order.`,
    );
  for (const path of engineSettings) {
    if (isChanged(path))
      toDo.push(
        `${path} was ${asText(valueAt(old, path))}. It is the engine's: the database has its own value of it, and never followed yours.`,
      );
  }
  return { settings, sentences, toDo };
}
