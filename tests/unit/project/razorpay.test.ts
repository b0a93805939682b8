import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import {
  providerDisputeSchema,
  providerOrderSchema,
  providerPaymentSchema,
  providerRefundSchema,
} from '../../../netlify/core/payments/razorpay-entities.ts';

/* docs/razorpay.md beside the code: what the code relies on stands there, and what is unknown is a step of the test purchase. */

const page = readFileSync('docs/razorpay.md', 'utf8');
const guide = readFileSync('docs/going-live.md', 'utf8');
const read = (path: string): string => readFileSync(path, 'utf8');

/** The part of the page under a heading. */
function sectionOf(text: string, heading: string): string {
  const [, section = ''] = text.split(`\n${heading}\n`);
  return section.split(/\n##/u)[0] ?? '';
}

/** Every first group of a pattern in a text, once. */
const allOf = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found)),
];

/** The cells of each row of the page's tables, without their headings. */
const rows = page
  .split('\n')
  .filter(
    (line) => line.startsWith('| ') && !/^\| (?:what the shop relies on|field) \|/u.test(line),
  )
  .map((line) =>
    line
      .replaceAll(String.raw`\|`, '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test('every row ends with what the sandbox does: the same, something else, or a step that finds out', () => {
  expect(rows.length).toBeGreaterThan(90);
  expect(
    rows.filter((cells) => !/^(?:same|differs: |unknown: step \d)/u.test(cells.at(-1) ?? '')),
  ).toEqual([]);
});

test('what no page says has a step, or a reason why it does not matter', () => {
  const isUnknown = (cells: string[]): boolean =>
    cells.slice(0, -1).some((cell) => cell.startsWith('unknown'));
  const unknown = rows.filter(isUnknown);
  expect(unknown.length).toBeGreaterThan(5);
  expect(unknown.filter((cells) => !/step \d|fault/u.test(cells.at(-1) ?? ''))).toEqual([]);
});

test('every step that a row names is in the test purchase, and each of them is named', () => {
  const steps = allOf(sectionOf(guide, '### The test purchase'), /^(\d+)\. \*\*/gmu);
  expect(steps.length).toBeGreaterThan(8);
  const named = allOf(page, /step (\d+) of the test purchase/gu);
  expect(named.toSorted()).toEqual(steps.toSorted());
});

test('every source is defined once, and used', () => {
  const defined = allOf(page, /^\[([^\]]+)\]: /gmu);
  const prose = page.replaceAll(/^\[.*$/gmu, '').replaceAll(/`[^`]*`/gu, '');
  const used = allOf(prose, /\[([^\]]+)\](?!\()/gu);
  expect(used.toSorted()).toEqual(defined.toSorted());
});

test('every call that the shop makes by the SDK is there', () => {
  const calls = allOf(read('netlify/core/payments/razorpay.ts'), /\bsdk\.(\w+\.\w+)\(/gu);
  expect(calls.length).toBeGreaterThan(8);
  const section = sectionOf(page, '## Calls');
  expect(calls.filter((call) => !section.includes(`\`sdk.${call}\``))).toEqual([]);
});

test('every field that the shop reads of an order, payment, refund or dispute is there', () => {
  const section = sectionOf(page, '## Fields');
  const schemas: Record<string, { shape: Record<string, z.ZodMiniType> }> = {
    order: providerOrderSchema,
    payment: providerPaymentSchema,
    refund: providerRefundSchema,
    dispute: providerDisputeSchema,
  };
  const missing = Object.entries(schemas).flatMap(([kind, { shape }]) => {
    const lines = section.split('\n').filter((line) => line.startsWith(`| ${kind}: `));
    expect(lines.length, kind).toBeGreaterThan(0);
    return Object.keys(shape)
      .filter((field) => !lines.some((line) => line.includes(`\`${field}\``)))
      .map((field) => `${kind}.${field}`);
  });
  expect(missing).toEqual([]);
});

test('every status that decides something, and every code of the shop’s own, is among the errors', () => {
  const section = sectionOf(page, '## Errors');
  const sources = ['payment-provider-error', 'razorpay-client', 'confirm-payment']
    .map((name) => read(`netlify/core/payments/${name}.ts`))
    .join('\n');
  const statuses = allOf(sources, /\b(4\d\d)\b/gu);
  const codes = allOf(sources, /PaymentProviderError\([^)]*'([A-Z_]+)'\)/gu);
  expect([statuses.length, codes.length].every((count) => count > 2)).toBe(true);
  expect([...statuses, ...codes].filter((one) => !section.includes(one))).toEqual([]);
});

test('every event that the webhook reads or the sandbox sends is there', () => {
  const section = sectionOf(page, '## Webhooks');
  const sources = `${read('netlify/core/payments/webhook-event.ts')}${read('local/razorpay/events.ts')}`;
  const events = allOf(sources, /['`]((?:payment|order|refund)\.[a-z.]+)/gu);
  expect(events).toEqual(
    expect.arrayContaining(['order.paid', 'payment.dispute.', 'refund.failed']),
  );
  expect(events.filter((event) => !section.includes(event))).toEqual([]);
});

test('every option that the shop gives to Checkout is there', () => {
  const [, call = ''] =
    /new Razorpay\(\{\n([\s\S]*?)\n {4}\}\);/u.exec(
      read('src/services/checkout/razorpay-checkout.ts'),
    ) ?? [];
  const options = allOf(call, /^ {6,12}(\w+)[:,]/gmu);
  expect(options).toEqual(expect.arrayContaining(['key', 'handler', 'callback_url', 'redirect']));
  const section = sectionOf(page, '## Checkout');
  expect(options.filter((option) => !section.includes(`\`${option}\``))).toEqual([]);
});
