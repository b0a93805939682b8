const ends: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

/** 9 → '9th', 21 → '21st'. */
export const ordinalNumber = (n: number): string => `${String(n)}${ends[rules.select(n)] ?? 'th'}`;
