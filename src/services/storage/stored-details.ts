import * as v from '#domain/validate.ts';
import { storedJson } from './stored-json.ts';

const stringRecord: v.Validator<Readonly<Record<string, string>>> = (value) => {
  if (typeof value !== 'object' || value === null) throw new v.ValidationError('Not an object');
  return Object.fromEntries(Object.entries(value).map(([field, text]) => [field, v.string(text)]));
};
// Without storage, the form's values last until a reload.
const draft = storedJson(
  'session',
  'kasavu:details',
  v.object({ userId: v.nonEmptyString, values: stringRecord }),
);

/** The checkout form's draft in this tab, by field; empty without one. */
export function readCheckoutDraft(userId: string): Readonly<Record<string, string>> {
  const stored = draft.read();
  return stored?.userId === userId ? stored.values : {};
}

export function saveCheckoutDraft(userId: string, values: Readonly<Record<string, string>>): void {
  draft.write({ userId, values });
}

export const forgetCheckoutDraft = (): void => {
  draft.forget();
};
