import * as fc from 'fast-check';
import type * as z from 'zod';
import { readCategory, type TypedCategory } from '#local/shop-folder/category-of-words.ts';
import { settingsOfAnswers } from '#local/shop-folder/settings-of-answers.ts';
import { questions, type ShopAnswers } from '#local/shop-folder/shop-answers.ts';
import { states } from '#domain/checkout/postal-code.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import { shopFolderSchema, type ShopFolder } from '#shop-schema/shop-schema.ts';
import { sampleGstin } from './sample-gstin.ts';

/*
 * Shops of any kind, so that none that is made by hand decides what the engine goes with: names in six scripts, every state and
 * registration, any categories, and each optional setting and each switch with and without. What is optional, and what is a switch, is
 * read from the schema: a setting that is added later takes part once `samples` has a value for it.
 */

/** The parts of a zod schema that are walked here. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
}
const definitionOf = (schema: z.ZodType): Definition => schema._zod.def;

type Kind = 'optional' | 'switch' | 'nullable';
interface Setting {
  /** 'delivery.cashOnDelivery.pins'; '*' stands for each entry of a list. */
  path: string;
  kind: Kind;
}

/** The settings of a schema that a shop may leave out, set to null, or turn on and off. */
function choicesIn(schema: z.ZodType, path = ''): Setting[] {
  const { type, shape, innerType, element } = definitionOf(schema);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (type === 'object')
    return Object.entries(shape ?? {}).flatMap(([name, inner]) => choicesIn(inner, at(name)));
  if (type === 'array' && element) return choicesIn(element, at('*'));
  if (type === 'boolean') return [{ path, kind: 'switch' }];
  if ((type === 'optional' || type === 'nullable') && innerType)
    return [{ path, kind: type }, ...choicesIn(innerType, path)];
  return [];
}
export const choices: readonly Setting[] = choicesIn(shopFolderSchema);

/** A value of each optional setting; those of `cashOnDelivery` are its own. */
const samples: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'shop.lowStockBelow': fc.integer({ min: 0, max: 12 }),
  'shop.deploysPerMonth': fc.integer({ min: 1, max: 400 }),
  'shop.opensOn': fc.constant('2027-01-14'),
  'shop.reviews.askAfterDays': fc.integer({ min: 1, max: 60 }),
  'seller.mails.leftCartAfterHours': fc.integer({ min: 1, max: 20 }),
  'delivery.refunds.confirmAbove': fc.integer({ min: 1, max: 50_000 }),
  'delivery.cashOnDelivery': fc.record({
    charge: fc.constantFrom(0, 4_900, 9_950),
    platformFee: fc.boolean(),
    minTotal: fc.constantFrom(200, 50_000),
    maxTotal: fc.constantFrom(300_000, 1_000_000),
    keepsAdvance: fc.boolean(),
    confirmWithinHours: fc.constantFrom(24, 48),
    refusedForDays: fc.constantFrom(30, 180),
  }),
  'delivery.cashOnDelivery.pins': fc.constant(['67', '682', '30']),
  'delivery.cashOnDelivery.advance': fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 90 }) }),
    fc.record({ amount: fc.constantFrom(9_900, 10_050) }),
  ),
  'categories.*.sizeGuide': fc.constantFrom('rings', 'bangles', 'none'),
  'categories.*.googleCategory': fc.constantFrom(188, 192),
  'search.synonyms.*.finds': fc.constant('silver, gold'),
  // Only a category of the shop may stand there: `placed` fills it.
  'search.synonyms.*.within': fc.constant(null),
  'search.ignored': fc.constant('for, with, latest'),
};

/** Optional settings and null ones without a sample, and samples of what is no setting. */
export const unsampled = (): string[] => {
  const optional = choices.filter(({ kind }) => kind !== 'switch').map(({ path }) => path);
  const known = Object.keys(samples);
  return [
    ...optional.filter((path) => !known.includes(path) && !path.startsWith('theme.')),
    ...known.filter((path) => !optional.includes(path)),
  ];
};

const names = [
  'Meera Jewels',
  'Bindu & Daughters — टेराकोटा',
  'മീരയുടെ ആഭരണങ്ങൾ',
  'காவேரி நகைகள்',
  'রূপা ও সোনা',
  "Maya's Töchter",
  'સોના રૂપા જ્વેલર્સ',
  'A',
];
const kinds = [
  'Rings',
  'Anklets',
  'Toe rings',
  'Brooches',
  'Bangles',
  'Nose pins',
  'झुमके = jhumke',
  'மோதிரங்கள் = mothirangal',
  'Necklaces',
  'Watches',
  'Hair pins',
];

const read = (kind: string): TypedCategory => {
  const category = readCategory(kind);
  if (typeof category === 'string') throw new Error(category);
  return category;
};

const answersOf = fc
  .record({
    name: fc.constantFrom(...names),
    state: fc.constantFrom(...states),
    kind: fc.constantFrom('regular', 'composition', 'unregistered'),
    categories: fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 }),
    colour: fc.constantFrom('#8a3324', '#0a4f3c', '#1f2a6b', '#000000', '#f5d000'),
  })
  .map((chosen) => {
    const usual = Object.fromEntries(
      Object.entries(questions).map(([key, { otherwise, read: parse }]) => [
        key,
        parse.parse(otherwise),
      ]),
    ) as ShopAnswers;
    const answers: ShopAnswers = {
      ...usual,
      name: chosen.name,
      state: { name: chosen.state.name, gstCode: chosen.state.gstCode },
      gstin: chosen.kind === 'unregistered' ? null : sampleGstin(chosen.state.gstCode),
      categories: chosen.categories.map(read),
      colour: chosen.colour,
    };
    const settings = settingsOfAnswers(shopFolder, answers);
    const { registration } = settings.tax;
    if (chosen.kind === 'composition' && registration.kind === 'regular')
      settings.tax.registration = { kind: 'composition', gstin: registration.gstin };
    return { ...settings, search: { synonyms: [{ words: 'kammal, கம்மல்' }] } };
  });

/** A copy of the settings with a value at a path, or without one when it is undefined. A '*' is each entry of a list. */
function placed(settings: unknown, path: string, value: unknown): void {
  const [step = '', ...rest] = path.split('.');
  if (settings === null || typeof settings !== 'object') return;
  if (step === '*') {
    for (const entry of settings as unknown[]) placed(entry, rest.join('.'), value);
    return;
  }
  const record = settings as Record<string, unknown>;
  if (rest.length > 0) placed(record[step], rest.join('.'), value);
  else if (value === undefined) Reflect.deleteProperty(record, step);
  else record[step] = value;
}

const switches = choices.filter(({ kind }) => kind === 'switch');
const leftOut = choices.filter(({ kind, path }) => kind !== 'switch' && path in samples);

/** Whole settings of a shop, without a fault. */
export const anyShop: fc.Arbitrary<ShopFolder> = fc
  .tuple(
    answersOf,
    fc.tuple(...leftOut.map(({ path }) => fc.option(samples[path] ?? fc.constant(null)))),
    fc.tuple(...switches.map(() => fc.boolean())),
    fc.constantFrom(0, 118, 236),
  )
  .map(([base, optional, on, platformFeeBps]) => {
    const settings = structuredClone(base);
    settings.shop.platformFeeBps = platformFeeBps;
    // From the outside in: `pins` belongs to the terms that stand before it.
    for (const [index, { path, kind }] of leftOut.entries()) {
      const value = path.endsWith('.within') ? settings.categories[0]?.slug : optional[index];
      const isThere = optional[index] !== null || (path.endsWith('.within') && on[0] === true);
      placed(
        settings,
        path,
        isThere ? structuredClone(value) : kind === 'nullable' ? null : undefined,
      );
    }
    for (const [index, { path }] of switches.entries())
      if (!path.startsWith('delivery.cashOnDelivery.'))
        placedSwitch(settings, path, on[index] ?? false);
    return settings;
  });

/** A switch of a part that this shop has not is none. */
function placedSwitch(settings: ShopFolder, path: string, on: boolean): void {
  const parent = path
    .split('.')
    .slice(0, -1)
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], settings);
  if (parent === undefined || parent === null) return;
  // Only an unregistered seller is asked.
  if (path.startsWith('tax.registration')) return;
  placed(settings, path, on);
}

/** The same few shops each time, by a seed. */
export const someShops = (count: number, seed = 20_261_129): ShopFolder[] =>
  fc.sample(anyShop, { numRuns: count, seed });
