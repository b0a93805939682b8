import { beforeEach, expect, test, vi } from 'vitest';
import cartMailEndpoint from '#netlify/functions/cart-mail.ts';
import { parseLines } from '#domain/cart/linked-lines.ts';
import { eachRow } from '#tests/each-row.ts';
import { decodeSubject, type ReceivedMail } from '#tests/functions/support/mail-server.ts';
import { useStack, type Answer, type Customer } from '#tests/functions/support/stack.ts';

const stack = await useStack();
let customer: Customer;
let ring = '';
let order = 0;

/** The mails about carts that came. */
const cartMails = (): ReceivedMail[] =>
  stack.mail.mails.filter(({ headers }) =>
    decodeSubject(headers['subject'] ?? '').startsWith('You left something'),
  );
const wordsOf = (mail: ReceivedMail | undefined): string =>
  mail?.raw.replaceAll(/=\r?\n/gu, '').replaceAll('=3D', '=') ?? '';
/** The customer opened the payment four hours ago and did not pay. */
async function leaveCart(): Promise<void> {
  const sized = await stack.addProduct({
    name: 'Toe ring',
    sizes: [{ size: '9, wide', stock: 3 }],
  });
  ring = await stack.addProduct({ name: 'Lotus ring' });
  const lines = [
    { product_id: ring, quantity: 2 },
    { product_id: sized, size: '9, wide', quantity: 1 },
  ];
  const placed = await stack.createOrder(customer, lines, {
    body: { customer_email: customer.email },
  });
  order = (placed.json['order'] as { number: number }).number;
  await stack.sql(`select public.release_order($1, 'expired')`, order);
  await stack.sql(
    `update public.orders set created_at = now() - interval '4 hours', released_at = now() - interval '4 hours' where id = $1`,
    order,
  );
}
const unsubscribe = (token: string, init: RequestInit = {}): Promise<Answer> =>
  stack.call(cartMailEndpoint, `/cart-mail/unsubscribe?token=${token}`, {
    method: 'POST',
    headers: { origin: 'https://kasavu.example' },
    ...init,
  });
const tokenOf = (mail: ReceivedMail | undefined): string =>
  /cart-mail\/unsubscribe\?token=([\w-]+)/u.exec(wordsOf(mail))?.[1] ?? '';
const refusals = (): Promise<number> =>
  stack.value('select count(*)::int from public.cart_mail_refusals');

beforeEach(async () => {
  await stack.sql('delete from public.costs where true');
  await stack.sql('delete from public.cart_mail_refusals where true');
  customer = await stack.signUp();
  stack.mail.mails.length = 0;
  await leaveCart();
});

test('one mail comes after a cart was left, with its products and a link that names products, sizes and quantities alone', async () => {
  await stack.sweep();
  await stack.sweep();
  const [mail, ...more] = cartMails();
  expect([mail?.to, more]).toEqual([[customer.email], []]);
  const text = wordsOf(mail);
  expect(text).toContain('Lotus ring =C3=97 2');
  expect(text).toContain('Toe ring =C2=B7 Size 9, wide');
  const [, fragment = ''] = /https:\/\/kasavu\.example\/left-cart#([^\s"]+)/u.exec(text) ?? [];
  expect(parseLines(fragment)).toMatchObject([
    { id: ring, quantity: 2 },
    { size: '9, wide', quantity: 1 },
  ]);
  expect(text).not.toMatch(/₹|=E2=82=B9/u);
  expect(mail?.headers['list-unsubscribe']).toBe(
    `<https://kasavu.example/cart-mail/unsubscribe?token=${tokenOf(mail)}>`,
  );
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
});

test('the button of the page and the one of a mail program both end the mails, as often as they are pressed', async () => {
  await stack.sweep();
  const token = tokenOf(cartMails()[0]);
  for (let press = 0; press < 2; press += 1) {
    const pressed = await unsubscribe(token);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([
      303,
      '/cart-mail/unsubscribed',
    ]);
  }
  expect(await refusals()).toBe(1);
  await stack.sql('delete from public.cart_mail_refusals where true');
  const oneClick = await unsubscribe(token, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(oneClick).toMatchObject({ status: 200, json: { unsubscribed: true } });
  expect(await refusals()).toBe(1);

  await stack.sql('update public.orders set cart_mailed_at = null where id = $1', order);
  await stack.sql('delete from public.outbox where true');
  stack.mail.mails.length = 0;
  await stack.sweep();
  expect(cartMails()).toEqual([]);
});

test('a link that is cut or changed ends nothing, and says so', async () => {
  await stack.sweep();
  const token = tokenOf(cartMails()[0]);
  expect(token).toHaveLength(64 + 1 + 43);
  await eachRow(
    ['', token.slice(0, -1), token.replace(/^./u, (digit) => (digit === 'a' ? 'b' : 'a')), 'cut'],
    async (changed) => {
      const pressed = await unsubscribe(changed);
      expect(pressed.status).toBe(400);
      expect(pressed.text).toContain('This link is incomplete');
      expect((await unsubscribe(changed, { body: 'List-Unsubscribe=One-Click' })).status).toBe(400);
    },
  );
  expect(await refusals()).toBe(0);
});

test('a GET of the link, as scanners of mail send it, changes nothing', async () => {
  await stack.sweep();
  const token = tokenOf(cartMails()[0]);
  const read = await unsubscribe(token, { method: 'GET' });
  expect(read.status).toBe(405);
  expect(await refusals()).toBe(0);
});

test('an order without a confirmed account, or of another address, gets no mail', async () => {
  await stack.sql(
    `update public.orders set customer_email = 'else@example.com' where id = $1`,
    order,
  );
  await stack.sweep();
  expect(cartMails()).toEqual([]);
});

test('a shop without the setting sends none, and its sweep asks for none', async () => {
  vi.resetModules();
  vi.doMock('#settings/cart-mail.ts', () => ({ cartMailAfterHours: null }));
  try {
    const { step } = await import('#netlify/features/cart-mail/sweep-step.ts');
    expect(await step.run({} as Parameters<typeof step.run>[0])).toBe(0);
  } finally {
    vi.doUnmock('../../../src/settings/cart-mail.ts');
    vi.resetModules();
  }
});
