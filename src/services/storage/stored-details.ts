import * as v from '../../domain/validate.ts';

const storageKey = 'kasavu:details';

const stringRecord: v.Validator<Readonly<Record<string, string>>> = (value) => {
  if (typeof value !== 'object' || value === null) throw new v.ValidationError('Not an object');
  return Object.fromEntries(Object.entries(value).map(([field, text]) => [field, v.string(text)]));
};
const parseStored = v.object({ userId: v.nonEmptyString, values: stringRecord });

/** What this shopper typed into the checkout form in this tab, by field; empty when nothing is kept. */
export function readCheckoutDraft(userId: string): Readonly<Record<string, string>> {
  try {
    const stored = parseStored(JSON.parse(sessionStorage.getItem(storageKey) ?? ''));
    return stored.userId === userId ? stored.values : {};
  } catch {
    return {};
  }
}

export function saveCheckoutDraft(userId: string, values: Readonly<Record<string, string>>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ userId, values }));
  } catch {
    // The form itself still has it; only a reload would lose it.
  }
}

export function forgetCheckoutDraft(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Nothing was kept then.
  }
}
