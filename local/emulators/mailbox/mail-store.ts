import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writeJson } from '#local/data-folder/files.ts';

const mailSchema = z.object({
  id: z.string(),
  to: z.array(z.string()),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  links: z.array(z.string()),
  /** ISO 8601. */
  receivedAt: z.string(),
});
export type Mail = z.infer<typeof mailSchema>;
export type NewMail = Omit<Mail, 'id' | 'links' | 'receivedAt'>;

/** Stores each mail as a file. */
export interface MailStore {
  add: (mail: NewMail) => Promise<Mail>;
  /** Newest first. */
  list: () => readonly Mail[];
  find: (id: string) => Mail | undefined;
  clear: () => Promise<void>;
}

export async function createMailStore(dir: string): Promise<MailStore> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.json')).sort();
  const read = await Promise.all(names.map(async (name) => readJson(join(dir, name), mailSchema)));
  let mails = read.filter((mail) => mail !== null).reverse();
  return {
    async add(mail) {
      const now = new Date();
      // The name sorts by time, also within one millisecond.
      const id = `${String(now.getTime())}-${String(mails.length).padStart(6, '0')}-${randomUUID().slice(0, 8)}`;
      const stored = {
        ...mail,
        id,
        links: linksIn(mail.text, mail.html),
        receivedAt: now.toISOString(),
      };
      await writeJson(join(dir, `${id}.json`), stored);
      mails = [stored, ...mails];
      return stored;
    },
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    async clear() {
      const gone = mails;
      mails = [];
      await Promise.all(gone.map(async ({ id }) => rm(join(dir, `${id}.json`), { force: true })));
    },
  };
}

/** The addresses in a mail, each once: those of links in the HTML first, then those in the text. */
function linksIn(text: string, html: string | null): string[] {
  const inHtml = [...(html ?? '').matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/giu)].map(
    ([, a, b]) => decode(a ?? b ?? ''),
  );
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/gu)].map(([address]) =>
    address.replace(/[.,;:!?]+$/u, ''),
  );
  return [...new Set([...inHtml, ...inText])].filter((address) => /^https?:/iu.test(address));
}

const decode = (attribute: string): string =>
  attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .trim();
