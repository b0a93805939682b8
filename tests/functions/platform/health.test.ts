import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import health from '#netlify/functions/health.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import signUpRefused from '#netlify/functions/sign-up-refused.ts';
import { healthReportSchema, type HealthReport } from '#core/health/health-report.ts';
import { forgetHealth } from '#core/health/read-health.ts';
import { eachRow } from '#tests/each-row.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';

const stack = await useStack();
/** The deployed site, as far as the functions fetch it. */
let site: Served;
const live = { builtAt: '' };

beforeAll(async () => {
  site = await serveFetch(() => Response.json({ version: 1_000, builtAt: live.builtAt }));
});
beforeEach(async () => {
  await stack.database.reset();
  await stack.sql(
    `insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)`,
  );
  vi.stubEnv('URL', site.url);
  vi.stubEnv('BUILD_HOOK_URL', `${site.url}/hook`);
  live.builtAt = new Date().toISOString();
  stack.razorpay.reset();
  stack.mail.reset();
  await sweep();
});
afterAll(async () => {
  await site.close();
});

const { sweep } = stack;
const sql = async (statement: string): Promise<void> => {
  await stack.sql(statement);
};

/** The report of this moment, not the one that is kept. */
async function look(): Promise<{ status: number; report: HealthReport; headers: Headers }> {
  forgetHealth();
  const { status, json, headers } = await stack.call(health, '/api/health');
  return { status, report: healthReportSchema.parse(json), headers };
}

const subjectsOfMails = (): string[] =>
  stack.mail.mails.map(({ headers }) => headers['subject'] ?? '');

const paidTwoHoursAgo = `insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, created_at)
  values ('pay_00000000000001', 'order_00000000000001', 100, 'INR', 'unmatched', now() - interval '2 hours')`;
const sweptAgo = (minutes: number): string =>
  `update public.heartbeats set last_at = now() - interval '${String(minutes)} minutes' where name = 'sweep'`;
const mailWaiting = `insert into public.outbox (kind, recipient, dedupe_key, created_at, next_attempt_at)
  values ('contact_copy', 'a@example.com', 'waiting', now() - interval '20 minutes', now() + interval '1 day')`;
const buildFailed = `insert into public.builds (requested_by, state, requested_at, finished_at, reason)
  values ('auto', 'failed', now(), now() + interval '1 minute', 'The catalogue is empty; a shop without products is not published.')`;

test('a shop that is well answers 200 with its version, every part and no secret, and the CDN answers for a minute', async () => {
  const { status, report, headers } = await look();
  expect(status).toBe(200);
  expect(report).toMatchObject({
    status: 'pass',
    version: packageJson.version,
    checks: { database: { ok: true }, mail: { ok: true }, webhook: { ok: true } },
  });
  expect(headers.get('netlify-cdn-cache-control')).toBe('public, durable, s-maxage=60');
});

const dropped = (): void => void stack.razorpay.faults.push({ call: 'GET', fault: 'drop' });
const without =
  (name: string, value = '') =>
  (): void =>
    void vi.stubEnv(name, value);
const notForgotten = `update public.heartbeats set last_at = now() - interval '51 hours' where name = 'forget'`;
const neverSwept = `update public.heartbeats set last_at = null, since = now() - interval '1 hour'`;

test('each part that is not at work is named, with 503', () =>
  eachRow(
    [
      ['database', 'unreachable', () => stack.database.setDown(true)],
      ['provider', 'unreachable', dropped],
      ['provider', 'keys_refused', without('RAZORPAY_KEY_SECRET', 'another')],
      ['provider', 'not_configured', without('RAZORPAY_KEY_ID')],
      ['mail', 'nothing_goes_out', () => sql(mailWaiting)],
      ['mail', 'not_configured', without('SMTP_URL')],
      ['sweep', 'silent', () => sql(sweptAgo(18))],
      ['sweep', 'silent', () => sql(neverSwept)],
      ['forget', 'silent', () => sql(notForgotten)],
      ['webhook', 'silent', () => sql(paidTwoHoursAgo)],
      ['build', 'failed', () => sql(buildFailed)],
    ] as const,
    async ([check, reason, make]) => {
      const { RAZORPAY_KEY_SECRET, RAZORPAY_KEY_ID, SMTP_URL } = process.env;
      await make();
      const { status, report, headers } = await look();
      const kept = { RAZORPAY_KEY_SECRET, RAZORPAY_KEY_ID, SMTP_URL };
      for (const [name, value] of Object.entries(kept)) vi.stubEnv(name, value);
      await stack.database.reset();
      await sweep();
      // A monitor sees the repair as soon as before.
      expect(headers.get('netlify-cdn-cache-control')).toBe('public, s-maxage=10');
      expect({ status, overall: report.status, named: report.checks[check] }).toMatchObject({
        status: 503,
        overall: 'fail',
        named: { ok: false, reason },
      });
    },
  ));

test('a database that answers and takes no write is no healthy one', async () => {
  // The embedded API tells the console of every refusal.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await sql('set default_transaction_read_only = on');
  const { status, report } = await look();
  await sql('set default_transaction_read_only = off');
  expect([status, report.checks.database]).toEqual([503, { ok: false, reason: 'takes_no_writes' }]);
  // What can be read is still reported.
  expect(report.checks.webhook).toEqual({ ok: true });
  expect((await look()).report.checks.database).toEqual({ ok: true });
});

test('a mail that one address refuses is no outage: others go out', async () => {
  await sql(mailWaiting);
  await sql(
    `insert into public.outbox (kind, dedupe_key, sent_at) values ('order_notice', 'sent', now())`,
  );
  expect((await look()).report.checks.mail).toEqual({ ok: true });
});

test('a payment is not missed while its webhook may still come, nor when it came', async () => {
  await sql(paidTwoHoursAgo.replace('2 hours', '50 minutes'));
  expect((await look()).report.checks.webhook.ok).toBe(true);
  await sql(`update public.payments set created_at = now() - interval '2 hours';`);
  await sql(
    `insert into public.webhook_events (event_id, event, payment_id) values ('event-1', 'payment.captured', 'pay_00000000000001')`,
  );
  expect((await look()).report.checks.webhook.ok).toBe(true);
});

test('a response is cached for seconds, so that frequent requests cause no new checks', async () => {
  await look();
  const calls = stack.razorpay.calls.length;
  await stack.call(health, '/api/health');
  expect(stack.razorpay.calls).toHaveLength(calls);
});

test('a health check that finds the sweep silent notifies the admin, once per incident', async () => {
  await sql(sweptAgo(60));
  await look();
  await look();
  expect(subjectsOfMails()).toEqual(['The background work of the shop has stopped']);
  await sweep();
  await sql(sweptAgo(45));
  await look();
  expect(stack.mail.mails).toHaveLength(2);
});

test('the sweep notifies the admin once of a silent webhook and of builds that do not go live', async () => {
  await sql(paidTwoHoursAgo);
  await sql(buildFailed);
  await sweep();
  await sweep();
  expect(subjectsOfMails().sort()).toEqual([
    'Messages from Razorpay do not arrive',
    'Your changes are not published',
  ]);
});

test('refused sign-ups that three networks report are a warning, which never turns the report red', async () => {
  const report = (ip: string): Promise<Answer> =>
    stack.call(signUpRefused, '/api/sign-up-refused', { method: 'POST', context: { ip } });
  expect((await report('198.51.100.1')).status).toBe(204);
  // One network is counted once, however often it reports.
  expect((await report('198.51.100.1')).status).toBe(429);
  await report('198.51.100.2');
  expect((await look()).report.checks.signUp).toEqual({ ok: true });
  for (let network = 1; network <= 20; network += 1)
    await report(`2001:db8:${network.toString(16)}::1`);
  const { status, report: warning } = await look();
  expect([status, warning.status]).toEqual([200, 'pass']);
  expect(warning.checks.signUp).toEqual({ ok: true, reason: 'no_mail' });
  await sql(
    `update public.costs set at = at - interval '61 minutes' where effect = 'sign_up_refused'`,
  );
  expect((await look()).report.checks.signUp).toEqual({ ok: true });
});

test('a mail whose address or text a stranger invented does not turn the report red, a mail server that is down does', async () => {
  const waiting = (error: string): Promise<void> =>
    sql(
      `update public.outbox set last_error = '${error}', attempts = 3 where dedupe_key = 'waiting'`,
    );
  await sql(mailWaiting);
  expect((await look()).status).toBe(503);
  await waiting('Error EENVELOPE 550');
  expect((await look()).report.checks.mail).toEqual({ ok: true });
  await waiting('unreachable Error ECONNREFUSED');
  expect((await look()).report.checks.mail).toEqual({ ok: false, reason: 'nothing_goes_out' });
  // A message to the owner, which the provider refuses for its text.
  await sql(`update public.outbox set recipient = null where dedupe_key = 'waiting'`);
  expect((await look()).report.checks.mail).toEqual({ ok: false, reason: 'nothing_goes_out' });
  await waiting('Error EMESSAGE 554');
  expect((await look()).report.checks.mail).toEqual({ ok: true });
});

test('strangers read words only: no number and no time of the shop', async () => {
  await sql(mailWaiting);
  const { report } = await look();
  const { at, version, ...words } = report;
  expect([at, version].every((text) => text !== '')).toBe(true);
  expect(Object.keys(words.checks)).toHaveLength(8);
  expect(JSON.stringify(words)).not.toMatch(/\d/u);
});
