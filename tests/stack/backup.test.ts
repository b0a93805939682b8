import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, rootCertificates, TLSSocket } from 'node:tls';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backUp, restore } from '#local/backup/back-up.ts';
import type { BackupKey } from '#local/backup/backup-file.ts';
import { connectToDataFolder } from '#local/backup/shop-data.ts';
import { connectToProject, type ShopData } from '#local/emulators/supabase/database/project.ts';
import { shop as settings } from '#settings/shop.ts';
import { testCertificate } from './test-certificate.ts';

const { invoice: invoicePrefix, creditNote: notePrefix } = settings.prefixes;

/* `npm run backup` and `npm run restore` on the embedded stack: its database, accounts and buckets. */
let folder: string;
let shop: ShopData;
let key: BackupKey;
let file: string;
const workingDirectory = process.cwd();
const image = 'products/ring.webp';
const last = { order: 1_500, invoice: null, creditNote: null };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-backup-'));
  vi.stubEnv('SHOP_DATA_DIR', join(folder, 'data'));
  shop = await connectToDataFolder();
  const identity = await generateIdentity();
  key = { identity, recipient: await identityToRecipient(identity) };
  file = join(folder, 'shop.backup.age');
  await shop.query(
    `insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'devika@example.com', '{"name": "Devika"}')`,
  );
  await shop.query(
    `insert into public.products (name, description, price, category, stock, images) values ($1, 'Gold', 1000, 'rings', 3, array[$2])`,
    ...['ring – മോതിരം', image],
  );
  await upload('one');
});
afterAll(async () => {
  await shop.close();
  process.chdir(workingDirectory);
  await rm(folder, { recursive: true, force: true });
});

async function upload(text: string): Promise<void> {
  const content = Buffer.from(text);
  const { error } = await shop.storage
    .from('product-images')
    .upload(image, content, { contentType: 'image/webp', upsert: true });
  expect(error).toBeNull();
}

async function shown(): Promise<unknown> {
  const { data } = await shop.storage.from('product-images').download(image);
  return {
    products: await shop.query('select name, stock from public.products'),
    accounts: await shop.query('select email, raw_user_meta_data as data from auth.users'),
    image: await data?.text(),
  };
}

const asItWas = {
  products: [{ name: 'ring – മോതിരം', stock: 3 }],
  accounts: [{ email: 'devika@example.com', data: { name: 'Devika' } }],
  image: 'one',
};

test('a shop that was lost comes back from one encrypted file: rows, accounts and images', async () => {
  const { rows, files } = await backUp(shop, file, key);
  expect({ rows: rows > 2, files }).toEqual({ rows: true, files: 1 });
  expect((await readFile(file)).includes('devika')).toBe(false);

  await shop.query('delete from public.products where true');
  await shop.query(`update auth.users set raw_user_meta_data = '{"name": "Somebody"}' where true`);
  await upload('two');
  await expect(restore(shop, file, { key, last, replace: false })).rejects.toThrow(
    'The database has 0 orders and 1 accounts, which a restore would replace. With --replace it does.',
  );
  await restore(shop, file, { key, last, replace: true });
  expect(await shown()).toEqual(asItWas);
  const [next] = await shop.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('public.orders', 'id'))::int as id`,
  );
  expect(next).toEqual({ id: 1_501 });
});

test('a damaged file, another key and numbers that are none change nothing', async () => {
  const other = await generateIdentity();
  await expect(
    restore(shop, file, { key: { identity: other }, last, replace: true }),
  ).rejects.toThrow('the key is another one, or the file is damaged');
  const content = await readFile(file);
  const cut = join(folder, 'cut.age');
  await writeFile(cut, content.subarray(0, content.length - 20));
  await expect(restore(shop, cut, { key, last, replace: true })).rejects.toThrow('cannot be read');
  const wrong = { ...last, invoice: `${invoicePrefix}-31` };
  await expect(restore(shop, file, { key, last: wrong, replace: true })).rejects.toThrow(
    `${invoicePrefix}-31 is not the number of an invoice`,
  );
  expect(await shown()).toEqual(asItWas);
});

test('a backup with invoices asks for the last ones that the shop issued, and takes none of an earlier number or year', async () => {
  await shop.query(
    `insert into public.document_counters (series, financial_year, last_serial, last_issued_at) values
     ('invoice', '2025-26', 40, now()), ('invoice', '2026-27', 3, now()), ('credit_note', '2026-27', 2, now())`,
  );
  const withInvoices = join(folder, 'invoices.backup.age');
  await backUp(shop, withInvoices, key);
  await shop.query('delete from public.document_counters where true');
  const restoreWith = (invoice: string | null, creditNote: string | null) =>
    restore(shop, withInvoices, { key, last: { ...last, invoice, creditNote }, replace: true });
  const invoices = (given: string): string =>
    `${given} The last invoice in the backup is ${invoicePrefix}/2026-27/0003. Give --last-invoice with that number, or with a later one that the shop issued.`;
  await expect(restoreWith(null, `${notePrefix}/2026-27/0002`)).rejects.toThrow(
    invoices('--last-invoice is missing.'),
  );
  for (const earlier of [
    `${invoicePrefix}/2026-27/0002`,
    `${invoicePrefix}/2025-26/0041`,
    `${invoicePrefix}/25-26/0041`,
  ])
    await expect(restoreWith(earlier, `${notePrefix}/2026-27/0002`)).rejects.toThrow(
      invoices(`${earlier} is too early.`),
    );
  await expect(restoreWith(`${invoicePrefix}/2026-27/0003`, null)).rejects.toThrow(
    `--last-credit-note is missing. The last credit note in the backup is ${notePrefix}/2026-27/0002.`,
  );
  expect(await shop.query('select 1 from public.document_counters')).toEqual([]);
  await restoreWith(`${invoicePrefix}/2026-27/0005`, `${notePrefix}/2026-27/0002`);
  expect(
    await shop.query(
      'select series, financial_year, last_serial from public.document_counters order by 1, 2',
    ),
  ).toEqual([
    { series: 'credit_note', financial_year: '2026-27', last_serial: 2 },
    { series: 'invoice', financial_year: '2025-26', last_serial: 40 },
    { series: 'invoice', financial_year: '2026-27', last_serial: 5 },
  ]);
  await restoreWith(`${invoicePrefix}/2027-28/0001`, `${notePrefix}/2026-27/0002`);
  await shop.query('delete from public.document_counters where true');
  expect(await shown()).toEqual(asItWas);
});

test('with PGSSLROOTCERT authority and host name of the database’s certificate are checked, and nothing is sent before', async () => {
  let handshakes = 0;
  const server = createServer((socket: Socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, {
        isServer: true,
        secureContext: createSecureContext(testCertificate),
      });
      secure.on('error', () => undefined);
      secure.once('data', () => {
        handshakes += 1;
        secure.end();
      });
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const open = async (PGSSLROOTCERT?: string): Promise<string> =>
    connectToProject({
      SUPABASE_URL: 'https://project.supabase.co',
      SUPABASE_SECRET_KEY: 'sb_secret',
      DATABASE_URL: `postgresql://postgres:secret@127.1:${String(port)}/postgres`,
      PGSSLROOTCERT,
    }).then(
      () => 'open',
      (error: unknown) => (error as Error).message,
    );
  const [own, other] = [join(folder, 'own.pem'), join(folder, 'other.pem')];
  await writeFile(own, testCertificate.cert);
  await writeFile(other, rootCertificates[0] ?? '');
  expect(await open(other)).toContain('self-signed certificate');
  // Its own authority is trusted, and the name is compared, too: no certificate is for a shortened address.
  expect(await open(own)).toContain('does not match certificate');
  expect(handshakes).toBe(0);
  await open();
  expect(handshakes).toBe(1);
  expect(await open(join(folder, 'none.pem'))).toContain('which cannot be read');
  await new Promise((done) => server.close(done));
});

test('rows leave a database of another machine encrypted, or not at all', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      received.push(bytes);
      // "No": this server speaks no TLS.
      socket.end('N');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const project = { SUPABASE_URL: 'https://project.supabase.co', SUPABASE_SECRET_KEY: 'sb_secret' };
  // This machine, by a name that does not count as such.
  const DATABASE_URL = `postgresql://postgres:secret@127.1:${String(port)}/postgres`;
  await expect(connectToProject({ ...project, DATABASE_URL })).rejects.toThrow(
    'The database does not answer (The server does not support SSL connections).',
  );
  await new Promise((done) => server.close(done));
  expect(received.map((bytes) => bytes.readInt32BE(4))).toEqual([80_877_103]);
});
