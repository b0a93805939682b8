import { beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetHealth } from '#core/health/read-health.ts';
import type { HealthCheck } from '#core/health/health-report.ts';
import health from '#netlify/functions/health.ts';
import { callHook } from '#tests/functions/account/auth-hook.ts';
import type { SmtpStep } from '#tests/functions/support/mail-server.ts';
import { decodeSubject } from '#tests/functions/support/mail-server.ts';
import { useStack } from '#tests/functions/support/stack.ts';

/* A mail server that refuses, at each step of SMTP, or is gone: what health says, and what comes of the mails. */
const stack = await useStack();
const { sweep } = stack;
const ownerAddress = process.env['OWNER_EMAIL'] ?? '';

beforeEach(async () => {
  vi.stubEnv('SMTP_URL', stack.mail.url);
  await stack.database.reset();
  await stack.sql(
    `insert into public.reconciliations (from_at, to_at, payments) values (now(), now(), 0)`,
  );
  stack.mail.reset();
  stack.razorpay.reset();
  await sweep();
});

async function mailCheck(): Promise<HealthCheck | undefined> {
  forgetHealth();
  const { json } = await stack.call(health, '/api/health');
  return (json['checks'] as Record<string, HealthCheck>)['mail'];
}

/** Lets minutes pass for the mail server and for mails that failed. */
async function pass(minutes: number): Promise<void> {
  const by = `interval '${String(minutes)} minutes'`;
  await stack.sql(
    `update public.mail_server set refused_since = refused_since - ${by}, refused_at = refused_at - ${by} where id`,
  );
  await stack.sql(
    `update public.outbox set next_attempt_at = next_attempt_at - ${by}, created_at = created_at - ${by} where sent_at is null`,
  );
}

/** Somebody signs up. Whether the code was sent. */
async function signUp(email: string): Promise<boolean> {
  const user = { id: crypto.randomUUID(), email };
  const { json } = await callHook(stack, { user, action: 'signup', ip: '203.0.113.9' });
  return json['error'] === undefined;
}

/** Two mails wait, to the admin and to a customer. */
async function queueMails(): Promise<void> {
  for (const recipient of [null, 'meera@example.com'])
    await stack.sql(
      `insert into public.outbox (kind, recipient, payload, dedupe_key)
       values ('admin_alert', $1, '{"topic":"review"}', gen_random_uuid()::text)`,
      recipient,
    );
}

/** No mail waits, and nobody gets a code. */
async function signUpTwice(): Promise<void> {
  expect(await signUp('anjali@example.com')).toBe(false);
  expect(await signUp('devika@example.com')).toBe(false);
}

/** How the mail server is made to refuse, and the reason that health gives. */
const outages: readonly (readonly [name: string, make: () => void, reason: string])[] = [
  [
    'is gone',
    () => {
      vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:9');
    },
    'nothing_goes_out',
  ],
  [
    'refuses the log-in',
    () => {
      vi.stubEnv('SMTP_URL', stack.mail.url.replace('smtp://', 'smtp://shop:wrong@'));
      stack.mail.setRefusing('AUTH');
    },
    'nothing_goes_out',
  ],
  ...(['MAIL FROM', 'RCPT TO', 'DATA'] satisfies SmtpStep[]).map(
    (step) =>
      [
        `refuses ${step}`,
        () => {
          stack.mail.setRefusing(step);
        },
        'refused',
      ] as const,
  ),
];

describe.each(outages)('while the mail server %s', (_, make, reason) => {
  test.each([
    ['a mail waits', queueMails],
    ['customers sign up', signUpTwice],
  ])(
    'health fails after a quarter of an hour, where %s, and is well again afterwards',
    async (_case, cause) => {
      const url = stack.mail.url;
      expect(await mailCheck()).toEqual({ ok: true });
      make();
      await cause();
      await sweep();
      expect(await mailCheck()).toEqual({ ok: true });
      await pass(6);
      await sweep();
      await pass(15);
      await sweep();
      expect(await mailCheck()).toEqual({ ok: false, reason });
      const [{ today } = { today: {} }] = await stack.sql<{ today: Record<string, unknown> }>(
        'select public.read_today(5) as today',
      );
      expect([today['mailsStuckSince'], today['mailRefusal']]).toEqual([
        expect.any(String),
        expect.stringMatching(/^E[A-Z]+/u),
      ]);

      vi.stubEnv('SMTP_URL', url);
      stack.mail.reset();
      await pass(15);
      await sweep();
      await sweep();
      expect(await mailCheck()).toEqual({ ok: true });
      const left = await stack.value('select count(*) from public.outbox where sent_at is null');
      expect(Number(left)).toBe(0);
      expect(
        stack.mail.mails.map(({ headers }) => decodeSubject(headers['subject'] ?? '')),
      ).toContain('The shop could not send mail');
    },
  );
});

test('a stranger’s address, or text, that the server refuses raises nothing and mails nobody', async () => {
  for (const step of ['RCPT TO', 'DATA'] as const) {
    stack.mail.setRefusing(step, 'made-up@example.com');
    expect(await signUp('made-up@example.com')).toBe(false);
    await pass(20);
    await sweep();
    expect(await mailCheck()).toEqual({ ok: true });
    stack.mail.setRefusing(false);
    expect(await signUp('real@example.com')).toBe(true);
    await stack.sql(`delete from public.costs where true`);
  }
  expect(stack.mail.mails.flatMap(({ to }) => to)).not.toContain(ownerAddress);
});

test('two made-up addresses in a quiet shop cost one mail to the admin, which ends the doubt before health fails', async () => {
  stack.mail.setRefusing('RCPT TO', 'made-up@example.com');
  await signUp('made-up@example.com');
  stack.mail.setRefusing('RCPT TO', 'another@example.com');
  await signUp('another@example.com');
  await pass(6);
  await sweep();
  await sweep();
  expect(stack.mail.mails.map(({ to }) => to)).toEqual([[ownerAddress]]);
  await pass(20);
  expect(await mailCheck()).toEqual({ ok: true });
});

test('a refused mailbox of the admin is an outage, because no alarm arrives', async () => {
  stack.mail.setRefusing('RCPT TO', ownerAddress);
  await queueMails();
  await sweep();
  await stack.sql(`delete from public.outbox where recipient is not null`);
  await pass(16);
  await sweep();
  expect(await mailCheck()).toEqual({ ok: false, reason: 'refused' });
});

test('mails that an exhausted provider refused go out as soon as it takes one again, not at their next turn', async () => {
  stack.mail.setRefusing('MAIL FROM');
  await queueMails();
  await sweep();
  await stack.sql(
    `update public.outbox set next_attempt_at = now() + interval '8 hours' where sent_at is null`,
  );
  stack.mail.reset();
  expect(await signUp('anjali@example.com')).toBe(true);
  await sweep();
  expect(stack.mail.mails).toHaveLength(3);
});

test('nobody can read an address in what is kept of a refusal', async () => {
  stack.mail.setRefusing('RCPT TO');
  await signUp('anjali@example.com');
  const [row] = await stack.sql<{ row: string }>(
    'select to_jsonb(m)::text as row from public.mail_server m',
  );
  expect(row?.row).toContain('EENVELOPE 550 RCPT TO');
  expect(row?.row).not.toContain('anjali');
});
