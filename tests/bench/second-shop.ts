/*
 * `npm run bench -- second-shop [second|new|both] [walk|tests]`: the engine with another shop in place of src/shop: `tests/second-shop`, and the one
 * that `npm run new-shop -- --yes` writes. In a clone with that shop it runs the whole `npm test`; then it starts the shop, buys, ships,
 * refunds, prints documents, and looks for words of the first shop in every page, mail, feed, document, header, file name and log.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { isoDateInIndia } from '../../src/domain/india-month.ts';
import { createCustomer } from '../browser/account/customers.ts';
import { supabaseAs } from '../browser/support/running-shop.ts';
import { copyWithShop } from '../copy-with-shop.ts';
import { findFiles } from '../find-files.ts';
import { namesOfShop, nonsenseIn, shopWordsIn } from '../words-of-shop.ts';
import { startEmbeddedStack } from './support/embedded-stack.ts';
import { buy, insertRing, logInAsAdmin, post } from './support/purchase.ts';

const [which = 'both', part = 'both'] = process.argv.slice(2);

let failures = 0;
function check(holds: boolean, sentence: string): void {
  console.log(`${holds ? 'ok   ' : 'WRONG'} ${sentence}`);
  if (!holds) failures += 1;
}

/** A shop as `npm run new-shop -- --yes` writes it. */
async function makeNewShop(): Promise<string> {
  const made = await copyWithShop('src/shop');
  execFileSync(process.execPath, ['local/new-shop.ts', '--yes'], { cwd: made, stdio: 'inherit' });
  return made;
}

/** What the shop shows anywhere, by its address or its name. */
async function lookAtAll(copy: string, dataDir: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const stack = await startEmbeddedStack(dataDir, {
    sources: copy,
    env: { SHOP_CATALOGUE: 'src/shop/catalogue' },
  });
  const { origin } = stack;
  try {
    const look = async (path: string, init: RequestInit = {}): Promise<string> => {
      const response = await fetch(`${origin}${path}`, init);
      const text = await response.text();
      const headers = [...response.headers].map((header) => header.join(': ')).join('\n');
      seen.set(`${init.method ?? 'GET'} ${path}`, `${headers}\n${text}`);
      check(response.status < 400, `${path} answers ${String(response.status)}`);
      return text;
    };
    // The first category of the catalogue's own settings.
    const [, slug = ''] = /href="\/shop\?category=([\w-]+)"/u.exec(await look('/')) ?? [];
    const product = await insertRing('A piece of the test', 9, slug);
    const { session } = await createCustomer();
    const token = session.access_token;
    const first = await buy(stack, { token, product });
    const second = await buy(stack, { token, product });
    const admin = { cookie: await logInAsAdmin(), origin };
    const orderPath = `/api/admin/orders/${String(first.number)}`;
    const send = async (path: string, body: unknown): Promise<string> =>
      look(path, post(body, admin));
    await send(`${orderPath}/fulfilment`, { state: 'packed' });
    await look(`${orderPath}/packing-slip`, { headers: admin });
    for (const sheet of ['packing-slips', 'labels'])
      await look(`/api/admin/${sheet}?stage=packed`, { headers: admin });
    await send(`${orderPath}/fulfilment`, {
      ...{ state: 'shipped', carrier: 'India Post', trackingNumber: 'EM123456789IN' },
      trackingUrl: 'https://www.indiapost.gov.in/',
    });
    const invoice = await look(`${orderPath}/invoice`, { headers: admin });
    check(/\/20\d\d-\d\d\/0001/u.test(invoice), 'the first document of the year has number 0001');
    await look(`/api/orders/${String(first.number)}/invoice`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await send(`${orderPath}/fulfilment`, { state: 'delivered' });
    await send(`${orderPath}/refund`, {
      ...{ key: randomUUID(), reason: 'A scratch', restock: [], amountPaise: 1_000 },
    });
    // By a form, which issues it and leads to its page.
    await look(`${orderPath}/credit-note`, {
      ...{ method: 'POST', body: new URLSearchParams(), headers: admin },
    });
    await send(`/api/admin/orders/${String(second.number)}/cancel`, {
      ...{ key: randomUUID(), reason: 'Sold in the shop', restock: true },
    });
    const month = isoDateInIndia(new Date().toISOString()).slice(0, 7);
    for (const path of [
      ...['today', 'customers', 'figures?period=month', 'session', 'orders'].map(
        (name) => `/api/admin/${name}`,
      ),
      `/api/admin/orders.csv?month=${month}`,
    ])
      await look(path, { headers: admin });
    await look('/api/health');

    const dist = join(dataDir, 'dist');
    for (const file of findFiles('**/*.*', { cwd: dist })) {
      seen.set(`the file name ${file}`, file);
      if (/\.(?:html|js|json|xml|txt|css|svg|webmanifest)$/u.test(file))
        seen.set(`dist/${file}`, await readFile(join(dist, file), 'utf8'));
      // Two are parts of answers of functions.
      if (file.endsWith('.html') && !/^product\/(?:template|not-found)\.html$/u.test(file))
        await look(`/${file.replace(/(?:^|\/)index\.html$|\.html$/u, '')}`);
    }
    for (const name of ['/no/such/page', '/product/nothing']) {
      const missing = await fetch(`${origin}${name}`);
      seen.set(name, await missing.text());
    }
    const mails = await fetch(`${origin}/local/mailbox.json`);
    const all = z.array(z.object({ subject: z.string() }).loose()).parse(await mails.json());
    check(all.length >= 6, `${String(all.length)} mails were sent`);
    for (const mail of all) seen.set(`the mail "${mail.subject}"`, JSON.stringify(mail));
    const tables = ['orders', 'invoices', 'shop_settings', 'outbox'];
    for (const table of tables)
      seen.set(
        `the table ${table}`,
        JSON.stringify((await supabaseAs('shop').from(table).select()).data),
      );
    seen.set('what the command prints', stack.output());
    for (const log of findFiles('**/*.log', { cwd: dataDir }))
      seen.set(log, await readFile(join(dataDir, log), 'utf8'));
  } finally {
    await stack.stop();
  }
  return seen;
}

/** Answers of endpoints and rows of tables have `null` for what is not there. */
const withoutJson = (text: string): string =>
  text.replaceAll(/(?<=[:[,]\s*)null(?=\s*[,}\]])/gu, '');

async function tryShop(name: string, shop: string, words?: readonly string[]): Promise<void> {
  console.log(`\n${name}`);
  if (part !== 'tests') {
    const copy = await copyWithShop(shop);
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-shop-'));
    try {
      const seen = await lookAtAll(copy, dataDir);
      const found = [...seen].flatMap(([place, text]) =>
        [...shopWordsIn(text, words), ...nonsenseIn(place, withoutJson(text))].map(
          (word) => `${place}: ${word}`,
        ),
      );
      for (const words of found) console.log(`      ${words}`);
      check(found.length === 0, `no word of the first shop in ${String(seen.size)} places`);
    } finally {
      await rm(copy, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  if (part === 'walk') return;
  const clone = await copyWithShop(shop, true);
  try {
    const { status } = spawnSync('npm', ['test'], {
      cwd: clone,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: { ...process.env, SHOP_CATALOGUE: 'tests/catalogue' },
    });
    check(status === 0, `npm test of ${name}`);
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

if (which !== 'new') await tryShop('tests/second-shop', 'tests/second-shop');
if (which !== 'second') {
  const made = await makeNewShop();
  const shop = await mkdtemp(join(tmpdir(), 'new-shop-'));
  await cp(join(made, 'src/shop'), shop, { recursive: true });
  await rm(made, { recursive: true, force: true });
  // It keeps what its owner did not answer: hours, type, the days of delivery.
  await tryShop('npm run new-shop -- --yes', shop, namesOfShop).finally(() =>
    rm(shop, { recursive: true, force: true }),
  );
}
console.log(failures === 0 ? '\nAll is well.' : `\n${String(failures)} things are wrong.`);
process.exit(failures === 0 ? 0 : 1);
