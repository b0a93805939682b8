import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeXml } from '../../src/domain/xml.ts';
import { shop } from '../../src/settings/shop.ts';
import tokens from '../../tailwind.config.mjs';
import { projectRoot } from '../shared/settings.ts';

/*
 * The mails of Supabase Auth. Its settings files hold `env(…)` where shops differ; the CLI and the embedded Supabase put the
 * variable in, for a whole value only.
 */

/** What supabase/templates may name between braces, besides Auth's own `{{ .Token }}`. */
const values = { shop: { name: shop.name }, colors: tokens.theme.colors };

/** The value at 'colors.ink.900'; undefined for a path without a text. */
function valueAt(path: string): string | undefined {
  const found = path
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined,
      values,
    );
  return typeof found === 'string' ? found : undefined;
}

/** A template with the shop's name and colours. Throws when it names something else. */
const render = (html: string, file: string): string =>
  html.replaceAll(/\{\{(\w[\w.]*)\}\}/gu, (_, path: string) => {
    const value = valueAt(path);
    if (value === undefined) throw new Error(`${file}: there is no {{${path}}}.`);
    return escapeXml(value);
  });

export interface AuthMail {
  subject: string;
  html: string;
}

const readTemplate = async (name: string): Promise<string> => {
  const file = `supabase/templates/${name}.html`;
  return render(await readFile(join(projectRoot, file), 'utf8'), file);
};

/** The mails as Supabase Auth gets them, by the names of its templates. */
export async function authMails(): Promise<Record<'confirmation' | 'recovery', AuthMail>> {
  const [confirmation, recovery] = await Promise.all([
    readTemplate('confirmation'),
    readTemplate('recovery'),
  ]);
  return {
    confirmation: {
      subject: `{{ .Token }}: confirm your account at ${shop.name}`,
      html: confirmation,
    },
    recovery: { subject: `{{ .Token }} is your code at ${shop.name}`, html: recovery },
  };
}

/** Writes the mails into `folder`. Returns the variables of both config.toml that come from the shop's settings. */
export async function writeAuthMails(folder: string): Promise<Record<string, string>> {
  const variables: Record<string, string> = { SHOP_NAME: shop.name };
  await mkdir(folder, { recursive: true });
  for (const [name, { subject, html }] of Object.entries(await authMails())) {
    const file = join(folder, `${name}.html`);
    await writeFile(file, html);
    variables[`SHOP_${name.toUpperCase()}_SUBJECT`] = subject;
    variables[`SHOP_${name.toUpperCase()}_MAIL`] = file;
  }
  return variables;
}
