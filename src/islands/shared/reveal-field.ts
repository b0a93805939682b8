/**
 * Scrolls a control into view with its label, hint and message: a browser that focuses a control shows the control alone.
 */
export function revealField(control: Element): void {
  const field = control.closest('.field') ?? control;
  field.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}
