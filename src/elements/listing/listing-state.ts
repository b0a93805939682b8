/*
 * State that the page needs before the code of the listing is loaded, or when it cannot be.
 */

/** The form's fields that differ from those of the built page, by name. */
export function touchedFields(host: HTMLElement): Record<string, string> {
  const built: Readonly<Record<string, string | undefined>> = {
    q: '',
    category: host.dataset['category'],
    sort: 'name',
  };
  const fields = new FormData(host.querySelector('form') ?? undefined);
  return Object.fromEntries(
    Object.keys(built).flatMap((name) => {
      const value = fields.get(name);
      return typeof value === 'string' && value !== built[name] ? [[name, value]] : [];
    }),
  );
}

/** Shows the cards, which `PendingListing` hides while they are not those of the address. */
export function revealCards(): void {
  delete document.documentElement.dataset['listing'];
}

/** Shows that the catalogue could not be loaded. */
export function showUnreachable(host: HTMLElement): void {
  revealCards();
  const note = host.querySelector<HTMLElement>('[data-note]');
  if (!note) return;
  note.textContent = 'The whole catalogue cannot be reached at the moment. Please try again.';
  note.hidden = false;
}
