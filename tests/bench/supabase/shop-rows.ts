import sharp from 'sharp';
import * as z from 'zod';
import { buy } from '#tests/bench/support/purchase.ts';
import {
  ask,
  askShop,
  mailsTo,
  newCustomer,
  newEmail,
  short,
  sql,
  waitForMail,
  type Place,
  type Row,
  type Session,
} from './place.ts';

const claimLinkHeader = 'x-claim-link';

/** A product of ₹100. */
async function addRing(place: Place, stock: number): Promise<string> {
  const answer = await ask(place, '/rest/v1/products?select=id', {
    key: place.secretKey,
    headers: { prefer: 'return=representation' },
    body: { name: 'Contract ring', category: 'rings', price: 100, stock },
  });
  const [row] = z.array(z.object({ id: z.string() })).parse(JSON.parse(answer.text));
  return row?.id ?? '';
}

/** A paid order of a new customer. */
async function soldRing(place: Place): Promise<{ customer: Session; number: number }> {
  const customer = await newCustomer(place);
  const product = await addRing(place, 3);
  const { number } = await buy(place.stack, { token: customer.access_token, product });
  return { customer, number };
}

async function adminCookie({ origin, stack }: Place): Promise<string> {
  const { adminPassword } = stack;
  const answer = await fetch(`${origin}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ password: adminPassword }),
  });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

const one = async <T>(place: Place, text: string, ...values: readonly unknown[]): Promise<T> => {
  const [row] = await sql<Record<string, T>>(place, text, ...values);
  return Object.values(row ?? {})[0] as T;
};

/** The shop as a whole: a purchase, a claim, an erasure. */
export const shopRows: readonly Row[] = [
  {
    name: 'a purchase: paid, stock down, mails out, the order seen by its customer alone',
    want: 'COMPLETED, 2 left, confirmed by mail, 1 own order, 0 orders of others',
    async run(place) {
      const customer = await newCustomer(place);
      const product = await addRing(place, 3);
      const { number } = await buy(place.stack, { token: customer.access_token, product });
      const status = await one<string>(
        place,
        'select status from public.orders where id = $1',
        number,
      );
      const left = await one<number>(
        place,
        'select stock from public.products where id = $1',
        product,
      );
      // The mail goes to the address of the checkout form.
      await waitForMail(place, 'shopper@kasavu.example');
      const mails = await mailsTo(place, 'shopper@kasavu.example');
      const isMailed = mails.some(({ subject }) => subject.includes(String(number)));
      const own = await ask(place, '/rest/v1/orders?select=id', { token: customer.access_token });
      const { access_token: other } = await newCustomer(place);
      const others = await ask(place, '/rest/v1/orders?select=id', { token: other });
      const count = (text: string): string => String((JSON.parse(text) as unknown[]).length);
      return [
        status,
        `${String(left)} left`,
        isMailed ? 'confirmed by mail' : 'no mail',
        `${count(own.text)} own order`,
        `${count(others.text)} orders of others`,
      ].join(', ');
    },
  },
  {
    name: 'a claim with photos: stored, reported, opened by the admin alone',
    want: '200, 201, 201, 1 claim, 1 file, 200 image/webp, 401',
    async run(place) {
      const { customer, number } = await soldRing(place);
      await sql(
        place,
        `update public.orders set fulfilment = 'delivered', shipped_at = now() - interval '1 day', delivered_at = now() where id = $1 returning id`,
        number,
      );
      const link = await askShop(place, '/api/claims/link', {
        token: customer.access_token,
        body: { orderId: number },
      });
      const headers = { [claimLinkHeader]: String(link.body['path']).split('#')[1] ?? '' };
      const photo = await sharp({
        create: { width: 400, height: 300, channels: 3, background: '#7a3b2e' },
      })
        .webp()
        .toBuffer();
      const stored = await askShop(place, '/api/claims/photo', {
        method: 'POST',
        body: new Uint8Array(photo),
        headers: { ...headers, 'content-type': 'image/webp' },
      });
      const sent = await askShop(place, '/api/claims/send', {
        headers,
        body: { message: 'The clasp is broken.', photos: [stored.body['path']], video: null },
      });
      const claims = await one<number>(
        place,
        'select count(*)::int from public.claims where order_id = $1',
        number,
      );
      const file = await one<string | undefined>(
        place,
        'select path from public.claim_files where order_id = $1 and claim_id is not null',
        number,
      );
      const cookie = await adminCookie(place);
      const path = `/api/admin/orders/${String(number)}/claim-file?path=${String(file)}`;
      const shown = await askShop(place, path, { headers: { cookie } });
      const hidden = await askShop(place, path);
      return [
        short(link),
        short(stored),
        short(sent),
        `${String(claims)} claim`,
        file === undefined ? 'no file' : '1 file',
        `${short(shown)} ${shown.headers.get('content-type') ?? ''}`,
        String(hidden.status),
      ].join(', ');
    },
  },
  {
    name: 'an erasure by the admin: account, profile, inbox',
    want: '200, 0 accounts, 0 profiles',
    async run(place) {
      const email = newEmail();
      await newCustomer(place, email);
      const cookie = await adminCookie(place);
      const erased = await askShop(place, '/api/admin/personal-data/erase', {
        body: { email },
        headers: { cookie, origin: place.origin },
      });
      const accounts = await one<number>(
        place,
        'select count(*)::int from auth.users where email = $1',
        email,
      );
      const profiles = await one<number>(
        place,
        'select count(*)::int from public.profiles where email = $1',
        email,
      );
      return [short(erased), `${String(accounts)} accounts`, `${String(profiles)} profiles`].join(
        ', ',
      );
    },
  },
];
