import type { FormEntry } from './inbox.ts';

/** 'postalCode', 'postal_code' → 'Postal code'. */
function labelOf(key: string): string {
  const text = key
    .replaceAll(/[_-]+/gu, ' ')
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .trim()
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** The filled fields of a form entry, as the sender put them. */
export function formFields(entry: FormEntry): { label: string; value: string }[] {
  return Object.entries(entry.fields)
    .map(([key, value]) => ({ label: labelOf(key), value: textOf(value) }))
    .filter(({ value }) => value !== '');
}

/** A text field of an entry, or '' where it has none. */
export function formText(entry: FormEntry, key: string): string {
  const value = entry.fields[key];
  return typeof value === 'string' ? value.trim() : '';
}
