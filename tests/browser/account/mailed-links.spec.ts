import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import * as z from 'zod';
import { sampleMails } from '#tests/functions/support/sample-mails.ts';
import { askAfterDays } from '#settings/reviews.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { sell } from '#tests/browser/checkout/sale.ts';
import { runningShop, stackSecrets, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/admin/admin-page.ts';
import { waitForCode, waitForMail } from './mailbox.ts';
import { createCustomer, followMailedLink, mailedPageLink, signUpElsewhere } from './customers.ts';

/** A row of the shop's, put there with what the shop itself would have written. */
async function insertRow(table: string, row: Record<string, unknown>): Promise<unknown> {
  const inserted = await supabaseAs('shop').from(table).insert(row).select().single();
  if (inserted.error) throw new Error(inserted.error.message);
  return inserted.data;
}

/** The token and address of a mail that Auth sent, as its composer gets them. */
function codeOf(email: string, { links }: { links: readonly string[] }) {
  const hash = new URL(mailedPageLink({ links })).searchParams.get('token_hash');
  return { email, token: '12345678', token_hash: hash };
}

/** Every kind of mail, about rows that are there, so that each link works. */
async function mailsOfTheShop(admin: Page, browser: Browser, productId: string) {
  const { url } = runningShop();
  process.env['URL'] = url;
  process.env['SUPABASE_URL'] = url;
  process.env['SUPABASE_SECRET_KEY'] = stackSecrets().secretKey;
  const sale = await sell(browser);
  for (const change of [
    { state: 'packed' },
    { state: 'shipped', carrier: 'DTDC', trackingNumber: `D${String(sale.id)}45678` },
    { state: 'delivered' },
  ]) {
    const answer = await admin.request.post(`/api/admin/orders/${String(sale.id)}/fulfilment`, {
      data: change,
      headers: { origin: url },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  }
  const order = await supabaseAs('shop')
    .from('orders')
    .update({ review_request: 'asked' })
    .eq('id', sale.id)
    .select()
    .single();
  const newAccount = await signUpElsewhere();
  const account = await createCustomer();
  await supabaseAs('visitor').auth.resetPasswordForEmail(account.email);
  const leaving = await createCustomer();
  const address = () => `links-${randomUUID()}@kasavu.example`;
  const subscriber = { consent_text: 'News, please', asked_text: 'News, please' };
  const tokens = z.object({ token: z.string(), asked_token: z.optional(z.string()) });
  const asked = tokens.parse(await insertRow('subscribers', { ...subscriber, email: address() }));
  const confirmed_at = new Date().toISOString();
  const joined = tokens.parse(
    await insertRow('subscribers', { ...subscriber, email: address(), confirmed_at }),
  );
  const waits = { product_id: productId, email: address() };
  const alert = tokens.parse(await insertRow('stock_alerts', waits));
  const payloads = {
    sign_up_code: codeOf(newAccount.email, await waitForMail(newAccount.email, /confirm/iu)),
    login_code: codeOf(account.email, await waitForMail(account.email, /is your code/iu)),
    account_deletion: { user_id: leaving.session.user.id, asked_at: new Date().toISOString() },
    newsletter_confirmation: { token: asked.asked_token },
    newsletter_welcome: { token: joined.token },
    stock_alert_confirmation: { token: alert.token, name: 'Sold Out Ring' },
  };
  return { mails: sampleMails({ order: order.data, payloads }), sale };
}

/** A link without its secrets, such as `/newsletter/confirm?token=…`; null for a page that anybody may open. */
function kindOf(link: string): string | null {
  const { pathname, search, hash } = new URL(link);
  const kind = `${pathname}${search}${hash}`
    .replace(/^\/product\/.*/u, '/product')
    .replace(/(?<=#email=).+/u, '…')
    .replaceAll(/[\w.-]{20,}/gu, '…');
  return kind.includes('…') ? kind : null;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
const sees = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

/** What a person does with each kind of link, and sees then. */
const uses: Readonly<Record<string, readonly ((page: Page) => Promise<void>)[]>> = {
  '/auth?token_hash=…&type=signup#email=…': [press('Continue'), sees('Your e-mail is confirmed')],
  '/auth?token_hash=…&type=recovery#email=…': [press('Continue'), sees('New password')],
  '/account/delete?token=…': [press('Delete my account'), sees('Your account is deleted')],
  '/newsletter/confirm?token=…': [press('Yes, send me news'), sees('Thank you for subscribing')],
  '/newsletter/unsubscribe?token=…': [press('Unsubscribe'), sees('You are unsubscribed')],
  '/left-cart#…,…': [(page) => expect(page).toHaveURL(/\/cart$/u), sees(/cart/iu)],
  '/cart-mail/unsubscribe?token=…': [press('Unsubscribe'), sees('No more e-mails about carts')],
  '/stock-alert/confirm?token=…': [press('Yes, notify me'), sees('We will write to you')],
  '/track/…': [sees(/^Order #\d+$/u)],
  '/track/…/invoice': [sees(/invoice|bill of supply/iu)],
  '/damage#…': [
    (page) => page.getByLabel('What happened?').fill('The clasp of the chain is broken'),
    press('Send report'),
    (page) => expect(page.getByText('Thank you for your report')).toBeVisible(),
  ],
  ...(askAfterDays === null
    ? {}
    : {
        '/review#…': [
          (page: Page) => page.getByRole('radio', { name: '5 stars' }).first().press('Space'),
          (page: Page) => page.getByLabel('Your words').first().fill('It shines'),
          press('Send'),
          (page: Page) => expect(page.getByText('Thank you, we have it')).toBeVisible(),
        ],
      }),
};

/** A browser of somebody who has never been here. */
async function inNewBrowser<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    baseURL: runningShop().url,
    storageState: { cookies: [], origins: [] },
  });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** They read an order by POST, because its token must be in no log. */
const readsByPost = ['POST /api/claims/order', 'POST /api/reviews/order'];

/** Opens a link as scanners of mail do, with scripts and without a press. Returns what the page sent that may change something. */
const scan = (browser: Browser, link: string): Promise<string[]> =>
  inNewBrowser(browser, async (page) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      const isRead = ['GET', 'HEAD'].includes(request.method());
      const call = `${request.method()} ${new URL(request.url()).pathname}`;
      if (!readsByPost.includes(call) && (!isRead || call.includes('/auth/v1/verify')))
        sent.push(call);
    });
    await page.goto(link, { waitUntil: 'networkidle' });
    return sent;
  });

test('a browser that opens every link of every mail and presses nothing changes nothing, and a person can use each link afterwards', async ({
  page,
  browser,
  newProduct,
}) => {
  test.slow();
  const { id } = await newProduct({ name: 'Sold Out Ring', stock: 0 });
  const { mails, sale } = await mailsOfTheShop(page, browser, id);
  const { url } = runningShop();
  const links = new Map<string, string>();
  for (const { text } of mails)
    for (const [link] of text.matchAll(/https?:\/\/[^\s<>"]+/gu)) {
      const kind = link.startsWith(url) ? kindOf(link) : null;
      if (kind !== null) links.set(kind, link);
    }
  // A new kind of link needs a line in `uses`.
  expect([...links.keys()].toSorted()).toEqual(Object.keys(uses).toSorted());
  for (const [kind, link] of links) expect(await scan(browser, link), kind).toEqual([]);
  for (const [kind, link] of links)
    await test.step(kind, () =>
      inNewBrowser(browser, async (person) => {
        await person.goto(link);
        for (const step of uses[kind] ?? []) await step(person);
      }),
    );
  await sale.end();
});

test('the code of a sign-up is valid after a scanner opened the link beside it', async ({
  browser,
}) => {
  const { email } = await signUpElsewhere();
  const link = mailedPageLink(await waitForMail(email, /confirm/iu));
  expect(await scan(browser, link)).toEqual([]);
  const { auth } = supabaseAs('visitor');
  const token = await waitForCode(email, 'confirm');
  const { data, error } = await auth.verifyOtp({ email, token, type: 'signup' });
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);
});

test('whoever comes after a link was used gets a new code by one press', async ({ browser }) => {
  const { email } = await signUpElsewhere();
  const mail = await waitForMail(email, /confirm/iu);
  const token_hash = new URL(mailedPageLink(mail)).searchParams.get('token_hash') ?? '';
  await supabaseAs('visitor').auth.verifyOtp({ token_hash, type: 'signup' });
  await inNewBrowser(browser, async (page) => {
    await followMailedLink(page, mail);
    const spent = page.getByRole('heading', { name: 'This link does not work any more' });
    await expect(spent).toBeFocused();
    await expectAccessible(page, 'a link that was used');
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page
      .getByLabel(`Enter the 8-digit code that we sent to ${email}`)
      .fill(await waitForCode(email, 'enter'));
    await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible();
  });
});

test('a link that names another address than that of its account asks once more, with the right one', async ({
  browser,
}) => {
  const { email } = await signUpElsewhere();
  const link = new URL(mailedPageLink(await waitForMail(email, /confirm/iu)));
  link.hash = 'email=somebody-else%40kasavu.example';
  await inNewBrowser(browser, async (page) => {
    await page.goto(link.href);
    await expect(page.getByText('signed in as somebody-else@kasavu.example.')).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText(`You are about to be signed in as ${email}.`)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Sign in?' })).toBeFocused();
    expect(await page.evaluate(() => localStorage.getItem('kasavu:auth'))).toBeNull();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Your e-mail is confirmed' })).toBeVisible();
  });
});
