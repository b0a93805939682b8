const errorOf = (control: Element): HTMLElement | null =>
  document.getElementById(`${control.id}-error`);

function markField(control: Element, message: string | undefined): void {
  const error = errorOf(control);
  if (error === null) return;
  error.textContent = message ?? '';
  error.hidden = message === undefined;
  if (message === undefined) control.removeAttribute('aria-invalid');
  else control.setAttribute('aria-invalid', 'true');
}

/**
 * Marks every field that has a message, unmarks the others, and moves to the first marked one. A field's message
 * stands in the element `<id>-error`, which the field names in `aria-describedby`.
 */
export function showFieldErrors(
  form: HTMLFormElement,
  errors: Readonly<Record<string, string>>,
): void {
  let first: HTMLElement | undefined;
  for (const control of form.elements) {
    const message = errors[control.getAttribute('name') ?? ''];
    markField(control, message);
    if (message !== undefined && control instanceof HTMLElement) first ??= control;
  }
  first?.focus();
}

/** Removes the message from a field that is being edited. */
export function clearFieldError(target: EventTarget | null): void {
  if (target instanceof Element) markField(target, undefined);
}
