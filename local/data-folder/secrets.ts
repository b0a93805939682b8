import { randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod';
import { demoCost, hashPassword } from '../../netlify/server/auth/password.ts';
import { createVapidKey } from '../../netlify/server/push/vapid-key.ts';
import type { DataFolder } from './data-folder.ts';
import { readJson, writeJson } from './files.ts';
import type { Settings } from '../shared/settings.ts';

const secretsSchema = z.object({
  jwtSecret: z.string().min(32),
  publishableKey: z.string().startsWith('sb_publishable_'),
  secretKey: z.string().startsWith('sb_secret_'),
  sendEmailHookSecret: z.string().startsWith('v1,whsec_'),
  razorpayKeyId: z.string().startsWith('rzp_sandbox_'),
  razorpayKeySecret: z.string().min(20),
  razorpayWebhookSecret: z.string().min(20),
  vapidPrivateKey: z.string().min(1),
  adminPassword: z.string().min(1),
  adminPasswordHash: z.string().startsWith('scrypt$'),
});

/** Data folders of earlier releases have no key for notifications, or none for Auth's hook. */
const keptSchema = secretsSchema.partial({ vapidPrivateKey: true, sendEmailHookSecret: true });

/** Keys made on the first start and stored, so that sessions and signatures survive a restart. */
export type Secrets = z.infer<typeof secretsSchema>;

/** Reads the secrets of a data folder, or makes them. ADMIN_PASSWORD, when given, replaces the stored password. */
export async function loadSecrets(folder: DataFolder, settings: Settings): Promise<Secrets> {
  const kept = await readJson(folder.secrets, keptSchema);
  const password = settings.adminPassword ?? kept?.adminPassword ?? readablePassword();
  const { success, data } = secretsSchema.safeParse(kept);
  if (success && data.adminPassword === password) return data;
  const secrets: Secrets = {
    ...(kept ?? generateKeys()),
    vapidPrivateKey: kept?.vapidPrivateKey ?? createVapidKey(),
    sendEmailHookSecret:
      kept?.sendEmailHookSecret ?? `v1,whsec_${randomBytes(32).toString('base64')}`,
    adminPassword: password,
    adminPasswordHash: await hashPassword(password, demoCost),
  };
  await writeJson(folder.secrets, secrets);
  return secrets;
}

function generateKeys(): Omit<
  Secrets,
  'adminPassword' | 'adminPasswordHash' | 'vapidPrivateKey' | 'sendEmailHookSecret'
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
