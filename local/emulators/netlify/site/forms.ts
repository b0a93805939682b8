import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Functions } from '#local/emulators/netlify/functions/functions.ts';
import type { Handler } from '#local/emulators/http/handler.ts';
import { page } from '#local/emulators/http/page.ts';
import { warn } from '#local/shared/log.ts';

/** A form that Netlify finds in the built pages: its name, and the field that only robots fill. */
type FormsFound = ReadonlyMap<string, string | null>;

/**
 * Netlify Forms: a post with a `form-name` to any page is taken when the built pages have that form (`data-netlify`),
 * and handed to the function `submission-created`. `dist` is null while the dev server makes the pages.
 */
export function formRoutes(
  functions: Functions,
  origin: string,
  dist: () => string | null,
): Handler {
  return async (request) => {
    const type = request.headers.get('content-type') ?? '';
    const isForm =
      type.startsWith('application/x-www-form-urlencoded') ||
      type.startsWith('multipart/form-data');
    const { pathname } = new URL(request.url);
    if (request.method !== 'POST' || !isForm || /^\/(?:api|\.netlify)\//u.test(pathname))
      return undefined;
    const fields = await request
      .clone()
      .formData()
      .catch(() => null);
    const name = fields?.get('form-name');
    if (!fields || typeof name !== 'string') return undefined;
    const folder = dist();
    const forms = folder === null ? new Map([[name, null]]) : await findForms(folder);
    const honeypot = forms.get(name);
    if (honeypot === undefined) {
      warn(`The form '${name}' is in no built page with data-netlify: Netlify would answer 404`);
      return page('Form not found', '<p>No page of this site has this form.</p>', 404);
    }
    if (honeypot === null || !fields.get(honeypot)) await submit(functions, origin, name, fields);
    return page('Thank you!', '<p>Your form submission has been received.</p>');
  };
}

async function submit(
  functions: Functions,
  origin: string,
  name: string,
  fields: FormData,
): Promise<void> {
  const data: Record<string, string> = {};
  for (const [key, value] of fields) {
    if (key !== 'form-name') data[key] = typeof value === 'string' ? value : value.name;
  }
  const payload = {
    form_name: name,
    site_url: origin,
    created_at: new Date().toISOString(),
    data,
    ordered_human_fields: [],
  };
  const response = await functions.invoke(
    'submission-created',
    new Request(`${origin}/.netlify/functions/submission-created`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-nf-event': 'submission-created' },
      body: JSON.stringify({ payload }),
    }),
  );
  // Netlify responds before the function runs, so a failure is only logged.
  if (!response.ok) warn(`The function submission-created answered ${String(response.status)}`);
}

async function findForms(dist: string): Promise<FormsFound> {
  const found = new Map<string, string | null>();
  const entries = await readdir(dist, { recursive: true }).catch(() => []);
  for (const path of entries.filter((entry) => entry.endsWith('.html'))) {
    const html = await readFile(join(dist, path), 'utf8').catch(() => '');
    for (const [tag] of html.matchAll(
      /<form\b[^>]*\b(?:data-netlify(?:="true")?|netlify)(?=[\s>])[^>]*>/giu,
    )) {
      const name = /\sname="([^"]+)"/u.exec(tag)?.[1];
      if (name !== undefined) found.set(name, /netlify-honeypot="([^"]+)"/u.exec(tag)?.[1] ?? null);
    }
  }
  return found;
}
