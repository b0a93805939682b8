/** Moves the focus to the first field of the form that has a message, in the order of `fields`. */
export function focusFirstError(
  form: HTMLFormElement | null,
  fields: readonly string[],
  errors: Readonly<Record<string, string | undefined>>,
): void {
  const wrong = fields.find((field) => errors[field] !== undefined);
  const control = wrong === undefined ? null : form?.elements.namedItem(wrong);
  if (control instanceof HTMLElement) control.focus();
}
