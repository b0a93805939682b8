import { createRequire } from 'node:module';
import type { Context } from '@netlify/functions';
import loginEndpoint from '#netlify/functions/admin-session.ts';
import { demoCost, hashPassword } from '#core/auth/password.ts';
import { openDatabase, type SimulatedDatabase } from './database.ts';
import { openMail, type SimulatedMail } from './mail.ts';
import { callOut, openProcesses, type Process, type Processes } from './processes.ts';
import {
  keyId,
  keySecret,
  createRazorpay,
  webhookSecret,
  type SimulatedRazorpay,
} from './razorpay.ts';

type Endpoint = (request: Request, context: Context) => Promise<Response>;

export interface Customer {
  id: string;
  /** The name in the lines of a history. */
  name: string;
  token: string;
}

export interface Answer {
  status: number;
  location: string | null;
  json: Readonly<Record<string, unknown>>;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  /** The part of the path that the platform reads. */
  params?: Record<string, string>;
  body?: string;
}

/** People's actions, and the answers to them: the shop must not contradict these. */
export interface Memory {
  /** Orders that their customers wanted to cancel, and whether they saw them as paid. */
  cancellations: { order: number; paid: boolean }[];
  /** Orders whose customer read that they are cancelled. */
  told: { order: number }[];
  /** Numbers of paid orders, invoices and credit notes that were issued and are in no database any more. */
  lostNumbers: Set<string>;
  /** Dedupe keys of mails that nobody sent: they waited in a backup that was restored. */
  countedAsSent: Set<string>;
}

/** The functions, and everything that they speak to, in this process. */
export interface World {
  database: SimulatedDatabase;
  razorpay: SimulatedRazorpay;
  mail: SimulatedMail;
  processes: Processes;
  customers: readonly Customer[];
  /** The admin's session, as the browser sends it. */
  cookie: () => string;
  /** The admin logs in anew. */
  logIn: () => Promise<void>;
  /** Sum of the admin's changes of each product's stock. */
  stockEdits: Map<string, number>;
  memory: Memory;
  /** Starts a function with a request. */
  ask: (
    name: string,
    endpoint: Endpoint,
    path: string,
    asked: Asked,
    whenDone?: (answer: Answer) => void,
  ) => Process;
  /** Lets time pass. Functions of before are over: none lives longer than 30 seconds. */
  pass: (seconds: number) => Promise<void>;
  reset: () => Promise<void>;
  close: () => Promise<void>;
}

const origin = 'https://kasavu.example';
const databaseOrigin = 'http://database.simulated';
const razorpayOrigin = 'http://razorpay.simulated';

/** The environment that the functions read. */
const settings = {
  SUPABASE_URL: databaseOrigin,
  SUPABASE_SECRET_KEY: 'sb_secret_simulated_0123456789',
  RAZORPAY_KEY_ID: keyId,
  RAZORPAY_KEY_SECRET: keySecret,
  RAZORPAY_WEBHOOK_SECRET: webhookSecret,
  RAZORPAY_API_URL: razorpayOrigin,
  SMTP_URL: 'smtp://mail.simulated:25',
  MAIL_FROM: 'Shop <orders@kasavu.example>',
  OWNER_EMAIL: 'owner@kasavu.example',
  URL: origin,
};

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Answer['json']) : {};
  return { status: response.status, location: response.headers.get('location'), json };
}

/** Adds up what an edit did to a product's stock. */
function noteEdit(edits: Map<string, number>, body: string, answer: { outcome?: string }): void {
  const {
    p_id: id,
    p_product,
    p_expected,
  } = JSON.parse(body) as {
    p_id: string;
    p_product: { stock: number };
    p_expected: { stock: number };
  };
  if (answer.outcome === 'saved')
    edits.set(id, (edits.get(id) ?? 0) + p_product.stock - p_expected.stock);
}

export async function openWorld(): Promise<World> {
  const password = 'a-simulated-password';
  Object.assign(process.env, settings, {
    ADMIN_PASSWORD_HASH: await hashPassword(password, demoCost),
  });
  const database = await openDatabase();
  const razorpay = createRazorpay();
  const mail = openMail(database);
  const processes = openProcesses();
  const stockEdits = new Map<string, number>();
  const memory: Memory = {
    cancellations: [],
    told: [],
    lostNumbers: new Set(),
    countedAsSent: new Set(),
  };

  const customers: Customer[] = [];
  for (const number of [1, 2, 3]) {
    const id = `00000000-0000-4000-8000-00000000000${String(number)}`;
    await database.sql(
      'insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())',
      id,
      `customer${String(number)}@example.com`,
    );
    // Keys in the form that Supabase gives out; the simulated auth server knows them by heart.
    const claims = Buffer.from(JSON.stringify({ sub: id, exp: 4_102_444_800 }));
    customers.push({
      id,
      name: `customer ${String(number)}`,
      token: `header.${claims.toString('base64url')}.signature`,
    });
  }
  const userOf = (authorization: string | null): Response => {
    const customer = customers.find(({ token }) => authorization === `Bearer ${token}`);
    return customer
      ? Response.json({ id: customer.id, email: 'customer@example.com' })
      : Response.json({ code: 401 }, { status: 401 });
  };

  const { fetch: realFetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input : null;
    const url = new URL(input instanceof Request ? input.url : input);
    const method = request?.method ?? init?.method ?? 'GET';
    if (url.origin === razorpayOrigin && request) {
      // The body is read now: a request that the caller aborts later is sent all the same.
      const body = request.body === null ? null : await request.text();
      const name = `razorpay ${method} ${url.pathname.slice('/v1/'.length)}`;
      return callOut(name, () =>
        razorpay.answer(new Request(url, { method, headers: request.headers, body })),
      );
    }
    const headers = new Headers(init?.headers);
    if (url.origin === databaseOrigin && url.pathname === '/auth/v1/user') {
      return callOut('auth', () => Promise.resolve(userOf(headers.get('authorization'))));
    }
    if (url.origin === databaseOrigin) {
      const body = typeof init?.body === 'string' ? init.body : '';
      const name = url.pathname.slice('/rest/v1/'.length).replace('/', ' ');
      return callOut(name, async () => {
        const response = await database.answer(method, url, body);
        if (name === 'rpc save_product' && response.ok)
          noteEdit(stockEdits, body, (await response.clone().json()) as object);
        return response;
      });
    }
    return callOut(`page ${url.pathname}`, () =>
      Promise.resolve(new Response('', { status: 404 })),
    );
  };
  // The SDK's HTTP client, by the same way as everything else.
  const axios = createRequire(createRequire(import.meta.url).resolve('razorpay'))('axios') as {
    defaults: { adapter: unknown };
  };
  const { adapter } = axios.defaults;
  axios.defaults.adapter = 'fetch';

  const ask: World['ask'] = (
    name,
    endpoint,
    path,
    { method = 'POST', headers = {}, body, params = {} },
    whenDone,
  ) => {
    const request = new Request(new URL(path, origin), {
      method,
      headers: { origin, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const work = async (): Promise<Answer> =>
      readAnswer(await endpoint(request, { ip: '203.0.113.7', params } as unknown as Context));
    return processes.start(name, work, whenDone);
  };

  const type = { 'content-type': 'application/json' };
  let cookie = '';
  async function logIn(): Promise<void> {
    const login = await loginEndpoint(
      new Request(`${origin}/api/admin/login`, {
        method: 'POST',
        headers: { origin, ...type },
        body: JSON.stringify({ password }),
      }),
      { ip: '203.0.113.7', params: { action: 'login' } } as unknown as Context,
    );
    const set = login.headers
      .getSetCookie()
      .find((line) => line.startsWith('__Host-kasavu-admin='))
      ?.split(';')[0];
    if (set === undefined) throw new Error(`The admin could not log in: ${await login.text()}`);
    cookie = set;
  }
  await logIn();

  return {
    database,
    razorpay,
    mail,
    processes,
    customers,
    logIn,
    stockEdits,
    memory,
    ask,
    cookie: () => cookie,
    async pass(seconds) {
      for (const process of processes.live()) processes.kill(process);
      await processes.finishLate();
      await database.pass(seconds);
      razorpay.pass(seconds);
    },
    async reset() {
      for (const process of processes.live()) processes.kill(process);
      await processes.finishLate();
      await database.reset();
      // Otherwise all refunds of a run of more than ten minutes would need the password.
      await database.sql('update public.admin_sessions set confirmed_at = now() where true');
      razorpay.reset();
      mail.reset();
      stockEdits.clear();
      memory.cancellations.length = 0;
      memory.told.length = 0;
      memory.lostNumbers.clear();
      memory.countedAsSent.clear();
    },
    async close() {
      globalThis.fetch = realFetch;
      axios.defaults.adapter = adapter;
      mail.close();
      await database.close();
    },
  };
}
