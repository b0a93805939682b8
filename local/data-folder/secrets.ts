import { randomBytes, randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { demoCost, hashPassword } from '#core/auth/password.ts';
import type { DataFolder } from './data-folder.ts';
import { readJson, writeJson } from './files.ts';
import type { Settings } from '#local/shared/settings.ts';

const secretsSchema = z.object({
  jwtSecret: z.string().min(32),
  publishableKey: z.string().startsWith('sb_publishable_'),
  secretKey: z.string().startsWith('sb_secret_'),
  sendEmailHookSecret: z.string().startsWith('v1,whsec_'),
  razorpayKeyId: z.string().startsWith('rzp_sandbox_'),
  razorpayKeySecret: z.string().min(20),
  razorpayWebhookSecret: z.string().min(20),
  adminPassword: z.string().min(1),
  adminPasswordHash: z.string().startsWith('scrypt$'),
});

/** Data folders of earlier releases have none for Auth's hook, and none for features that came later. */
const keptSchema = z.looseObject(secretsSchema.partial({ sendEmailHookSecret: true }).shape);

/** Keys made on the first start and stored, so that sessions and signatures survive a restart. */
export type Secrets = z.infer<typeof secretsSchema> & {
  /** Variables of features, by their names. */
  variables: Readonly<Record<string, string>>;
};

/** A secret that a feature needs on the embedded stack. Features add theirs as `local/NAME/stack-secret.ts`. */
export interface StackSecret {
  /** Its key in the data folder. */
  name: string;
  /** The variable that functions read it from. */
  variable: string;
  create: () => string;
}

async function findStackSecrets(): Promise<StackSecret[]> {
  const folder = join(import.meta.dirname, '..');
  const modules = globSync('*/stack-secret.ts', { cwd: folder }).map(
    (path) => import(pathToFileURL(join(folder, path)).href) as Promise<{ secret: StackSecret }>,
  );
  return (await Promise.all(modules)).map(({ secret }) => secret);
}

/** Reads the secrets of a data folder, or makes them. ADMIN_PASSWORD, when given, replaces the stored password. */
export async function loadSecrets(folder: DataFolder, settings: Settings): Promise<Secrets> {
  const kept = await readJson(folder.secrets, keptSchema);
  const password = settings.adminPassword ?? kept?.adminPassword ?? readablePassword();
  const ofFeatures = (await findStackSecrets()).map(({ name, variable, create }) => {
    const value = kept?.[name];
    return {
      name,
      variable,
      value: typeof value === 'string' ? value : create(),
      isKept: value !== undefined,
    };
  });
  const variables = Object.fromEntries(ofFeatures.map(({ variable, value }) => [variable, value]));
  const { success, data } = secretsSchema.safeParse(kept);
  if (success && data.adminPassword === password && ofFeatures.every(({ isKept }) => isKept))
    return { ...data, variables };
  const secrets = {
    ...(kept ?? generateKeys()),
    ...Object.fromEntries(ofFeatures.map(({ name, value }) => [name, value])),
    sendEmailHookSecret:
      kept?.sendEmailHookSecret ?? `v1,whsec_${randomBytes(32).toString('base64')}`,
    adminPassword: password,
    // A new hash of the same password would end the admin's sessions.
    adminPasswordHash:
      kept?.adminPassword === password
        ? kept.adminPasswordHash
        : await hashPassword(password, demoCost),
  };
  await writeJson(folder.secrets, secrets);
  return { ...secretsSchema.parse(secrets), variables };
}

function generateKeys(): Omit<
  Secrets,
  'adminPassword' | 'adminPasswordHash' | 'sendEmailHookSecret' | 'variables'
> {
  return {
    jwtSecret: randomBytes(32).toString('hex'),
    publishableKey: `sb_publishable_${randomBytes(24).toString('hex')}`,
    secretKey: `sb_secret_${randomBytes(24).toString('hex')}`,
    razorpayKeyId: `rzp_sandbox_${randomBytes(7).toString('hex')}`,
    razorpayKeySecret: randomBytes(16).toString('hex'),
    razorpayWebhookSecret: randomBytes(16).toString('hex'),
  };
}

const words = [
  'amber',
  'brass',
  'coral',
  'cowrie',
  'garnet',
  'jasmine',
  'kemp',
  'lotus',
  'mango',
  'opal',
  'palm',
  'pearl',
  'ruby',
  'saffron',
  'silver',
  'temple',
];

/** E.g. `lotus-amber-palm-4821`: easy to read off a terminal and type. */
function readablePassword(): string {
  const picked = Array.from({ length: 3 }, () => words[randomInt(words.length)] ?? 'gold');
  return [...picked, String(randomInt(1000, 10_000))].join('-');
}
