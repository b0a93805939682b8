import * as z from 'zod';
import { dropAnswer, json, type Handler } from '#local/emulators/http/handler.ts';
import { createDatabaseClient } from '#local/emulators/supabase/database/database-client.ts';
import { createDatabase, type Database } from '#local/emulators/supabase/database/open-database.ts';
import { createAccountBySignUp } from '#local/demo/customer.ts';
import { markSeeded, seedWhenEmpty } from '#local/demo/seed.ts';
import { createMailStore } from '#local/emulators/mailbox/mail-store.ts';
import { mailboxRoutes } from '#local/emulators/mailbox/mailbox-routes.ts';
import { listenForMail } from '#local/emulators/mailbox/smtp.ts';
import { createSandbox } from '#local/emulators/razorpay/sandbox.ts';
import type { Base } from './base.ts';
import { isThisMachine } from '#core/platform/this-machine.ts';
import {
  createSendEmailHook,
  sendEmailAddress,
} from '#local/emulators/supabase/auth/send-email-hook.ts';
import { databaseEnvironment, functionEnvironment, publicEnvironment } from './environment.ts';
import { addStackParts } from './stack-parts.ts';
import { say } from '#local/shared/log.ts';
import { writeSettings } from '#local/shared/write-settings.ts';
import type { Settings } from '#local/shared/settings.ts';
import {
  connectProject,
  type OpenProject,
  type SupabaseProject,
} from '#local/supabase-project/project.ts';
import { hookForwarderPort, startHookForwarder } from '#local/supabase-project/hook-forwarder.ts';
import type { Shutdown } from './shutdown.ts';
import { timed } from '#local/shared/timings.ts';

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
  const { folder, secrets, supabaseUrl, router } = base;
  const mails = await createMailStore(folder.mail);
  const smtp = await listenForMail(mails);
  shutdown.onStop(async () => smtp.close());
  const addresses = { ...settings, supabaseUrl };
  const ofFunctions = functionEnvironment(addresses, secrets, smtp.port);
  const env = { ...publicEnvironment(addresses, secrets), ...ofFunctions };
  Object.assign(process.env, databaseEnvironment(origin, secrets, folder.database), ofFunctions);

  const sandbox = await createSandbox({
    file: folder.razorpay,
    origin,
    keyId: ofFunctions['RAZORPAY_KEY_ID'] ?? '',
    keySecret: secrets.razorpayKeySecret,
    webhookSecret: secrets.razorpayWebhookSecret,
  });
  shutdown.onStop(async () => sandbox.close());

  const { query, client, createAccount, routes } = await (base.project
    ? startProject(settings, shutdown, base, base.project)
    : startEmbedded(settings, shutdown, base));
  await writeSettings({ query });
  const seeded = await timed('demo catalogue', async () =>
    seedWhenEmpty(folder, client, createAccount),
  );
  if (seeded > 0) say(`Demo catalogue: ${String(seeded)} products put in.`);

  router.add(mailboxRoutes(mails));
  router.add(sqlRoute(query, secrets.secretKey));
  router.add(sandbox.handle, sandboxOrigin);
  router.add(linkToSandbox(sandboxOrigin));
  router.add(await addStackParts({ origin, sandboxOrigin, router, env }, routes));
}

/** Supabase as the stack needs it: to write settings and the demo catalogue, and to serve its API where it is embedded. */
interface Supabase extends Pick<OpenProject, 'query' | 'client' | 'createAccount'> {
  routes: Handler;
}

/** A Supabase project. Its API has an address of its own. */
async function startProject(
  { origin, port }: Settings,
  shutdown: Shutdown,
  { folder }: Base,
  project: SupabaseProject,
): Promise<Supabase> {
  const opened = await connectProject(folder, project);
  shutdown.onStop(opened.close, 'last');
  if (isThisMachine(new URL(project.SUPABASE_URL).hostname))
    shutdown.onStop((await startHookForwarder(origin, hookForwarderPort(port))).stop);
  // A project with a catalogue keeps it.
  if (!opened.isEmpty) await markSeeded(folder, 0);
  return { ...opened, routes: () => undefined };
}

/** The embedded Supabase. */
async function startEmbedded(
  { origin }: Settings,
  shutdown: Shutdown,
  { folder, secrets }: Base,
): Promise<Supabase> {
  const callHook = createSendEmailHook(sendEmailAddress(origin), secrets.sendEmailHookSecret);
  let isOpen = false;
  // The demo customer is confirmed directly, without leaving a mail in the mailbox of a new shop.
  const database = await createDatabase(folder, async (mail) => (isOpen ? callHook(mail) : null));
  shutdown.onStop(async () => database.close(), 'last');
  const migrated = await database.migrate();
  if (migrated > 0) say(`Database: ${String(migrated)} migrations applied.`);
  const client = createDatabaseClient(database, origin, secrets.secretKey);
  const routes = databaseRoutes(database);
  return {
    query: database.query,
    client,
    createAccount: createAccountBySignUp(client, database.confirmAddress),
    routes(request) {
      isOpen = true;
      return routes(request);
    },
  };
}

const statementSchema = z.object({ sql: z.string(), values: z.array(z.unknown()).default([]) });

/** POST /local/sql {sql, values}, with the secret key as `apikey`: the rows of a statement of the database's owner. Benchmarks use it. */
const sqlRoute =
  (query: Supabase['query'], secretKey: string): Handler =>
  async (request) => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/local/sql')
      return undefined;
    if (request.headers.get('apikey') !== secretKey) return json({ message: 'No such key' }, 401);
    const { sql, values } = statementSchema.parse(await request.json());
    return json(await query(sql, ...values));
  };

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
