/** Text that is HTML already; everything else is escaped when put into a template. */
export interface Markup {
  readonly markup: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe inside elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character);
}

/** A template of HTML: values are escaped unless they are Markup themselves; lists are joined. */
export function html(
  strings: TemplateStringsArray,
  ...values: (string | number | Markup | readonly Markup[])[]
): Markup {
  const parts = values.map((value) => {
    if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
    return 'markup' in value ? value.markup : value.map((item) => item.markup).join('');
  });
  return { markup: String.raw({ raw: strings }, ...parts) };
}
