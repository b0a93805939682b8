import { expect, test } from 'vitest';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { sendOutbox } from '#core/mail/outbox.ts';
import { seller } from '#settings/seller.ts';
import { decodeSubject } from '#tests/functions/support/mail-server.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import { sendForm } from './visitor-forms.ts';

const stack = await useStack();

test('whoever answers a mail reaches the other side: the admin the customer, the customer the shop, and of an alert the admin', async () => {
  const customer = await stack.signUp();
  const placed = await stack.createOrder(
    customer,
    [{ product_id: await stack.addProduct(), quantity: 1 }],
    { body: { customer_email: 'anjali@example.com' } },
  );
  const razorpay = String(placed.json['order_id']);
  await stack.post(verifyEndpoint, '/api/payment/verify', stack.razorpay.pay(razorpay), {
    token: customer.token,
  });
  await stack.sql(`select public.notify_admin('stock_held', '{}', 'stock_held:today')`);
  await sendForm(stack, 'contact', {
    name: 'Devika',
    email: 'devika@example.org',
    subject: '',
    message: 'Do you engrave?',
  });
  await sendOutbox();
  const replies = stack.mail.mails.map(({ to, headers }) => [
    to[0],
    headers['reply-to'],
    decodeSubject(headers['subject'] ?? ''),
  ]);
  const replyOf = (subject: RegExp): string[] | undefined =>
    replies.find(([, , line]) => subject.test(line ?? ''))?.slice(0, 2) as string[] | undefined;
  expect(replyOf(/confirmed/u)).toEqual(['anjali@example.com', seller.contact.emails[0]]);
  expect(replyOf(/^New order/u)).toEqual(['owner@kasavu.example', 'anjali@example.com']);
  expect(replyOf(/holds stock/u)).toEqual(['owner@kasavu.example', 'owner@kasavu.example']);
  expect(replyOf(/Devika|message/iu)).toEqual(['owner@kasavu.example', 'devika@example.org']);
});
