import { shop, supportEmail } from '../../src/settings/shop.ts';
import * as z from 'zod';
import { dropAnswer, json, type Handler } from '../http/handler.ts';
import { openDatabase, type Database } from '../database/open-database.ts';
import { seedWhenEmpty } from '../demo/seed.ts';
import { createMailStore } from '../mailbox/mail-store.ts';
import { mailboxRoutes } from '../mailbox/mailbox-routes.ts';
import { listenForMail } from '../mailbox/smtp.ts';
import { createSandbox } from '../razorpay/sandbox.ts';
import type { Base } from './base.ts';
import { requireCaptcha } from '../turnstile/auth-captcha.ts';
import { createTurnstile } from '../turnstile/turnstile.ts';
import { databaseEnvironment, functionEnvironment, turnstileKeys } from './environment.ts';
import { say } from '../shared/log.ts';
import { writeSettings } from '../shared/write-settings.ts';
import type { Settings } from '../shared/settings.ts';
import type { Shutdown } from './shutdown.ts';
import { timed } from '../shared/timings.ts';

/**
 * Starts the services that the functions use: mail, payment provider, database. Sets the environment variables of functions in
 * this process. Throws StartError.
 */
export async function startBackend(
  settings: Settings,
  shutdown: Shutdown,
  base: Base,
): Promise<void> {
  const { origin, sandboxOrigin } = settings;
  const { folder, secrets, router } = base;
  const mails = await createMailStore(folder.mail);
  const smtp = await listenForMail(mails);
  shutdown.onStop(async () => smtp.close());
  Object.assign(
    process.env,
    databaseEnvironment(origin, secrets, folder.database),
    functionEnvironment(settings, secrets, smtp.port),
  );

  const sandbox = await createSandbox({
    file: folder.razorpay,
    origin,
    keyId: secrets.razorpayKeyId,
    keySecret: secrets.razorpayKeySecret,
    webhookSecret: secrets.razorpayWebhookSecret,
  });
  shutdown.onStop(async () => sandbox.close());

  let seeding = true;
  const database = await openDatabase(folder, {
    async send({ to, subject, text, html }) {
      // The demo customer is confirmed directly, without leaving a mail in the mailbox of a new shop.
      if (seeding) return;
      await mails.add({
        to: [to],
        from: `${shop.name} <${supportEmail}>`,
        subject,
        text: text ?? '',
        html: html ?? null,
      });
    },
  });
  shutdown.onStop(async () => database.close(), 'last');
  const migrated = await database.migrate();
  if (migrated > 0) say(`Database: ${String(migrated)} migrations applied.`);
  await writeSettings(database);
  const seeded = await timed('demo catalogue', async () =>
    seedWhenEmpty(folder, { origin, secretKey: secrets.secretKey, database }),
  );
  seeding = false;
  if (seeded > 0) say(`Demo catalogue: ${String(seeded)} products put in.`);

  router.add(mailboxRoutes(mails));
  router.add(sandbox.handle, sandboxOrigin);
  router.add(linkToSandbox(sandboxOrigin));
  const routes = databaseRoutes(database);
  if (settings.turnstile) {
    const turnstile = createTurnstile(turnstileKeys, origin);
    router.add(turnstile.handle, sandboxOrigin);
    router.add(requireCaptcha(turnstile, turnstileKeys.secretKey, routes));
  } else router.add(routes);
}

const outageSchema = z.object({ down: z.boolean() });

/** The database, and POST /local/database {down}: while it is down its connections are cut, as those of a stopped one. */
function databaseRoutes({ handle }: Database): Handler {
  let down = false;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/local/database' && request.method === 'POST') {
      down = outageSchema.parse(await request.json()).down;
      return json({ down });
    }
    if (!/^\/(?:rest|auth|storage)\/v1(?:\/|$)/u.test(pathname)) return undefined;
    return down ? dropAnswer(new Response()) : handle(request);
  };
}

/** Pages that people open under the shop's address; the rest of the sandbox is on its own origin only. */
const linkToSandbox =
  (sandboxOrigin: string) =>
  ({ method, url }: Request): Response | undefined =>
    method === 'GET' && /^\/local\/razorpay\/?$/u.test(new URL(url).pathname)
      ? Response.redirect(`${sandboxOrigin}/local/razorpay/`)
      : undefined;
