import type { Target } from '#local/doctor/check.ts';
import { runChecks } from '#local/doctor/run-checks.ts';
import { siteChecks } from '#local/doctor/site-checks.ts';
import type { HealthReport } from '#core/health/health-report.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { runningShop, stackSecrets } from '#tests/browser/support/running-shop.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

interface Row {
  check: string;
  /** Changes what the site answers at a path. */
  make?: (path: string, answer: Answer) => void;
  target?: Partial<Target>;
  words: RegExp;
}

const replace =
  (path: string, pattern: string | RegExp, text: string) =>
  (at: string, answer: Answer): void => {
    if (at === path) answer.text = answer.text.replaceAll(pattern, text);
  };
const status =
  (path: string, code: number) =>
  (at: string, answer: Answer): void => {
    if (at === path) answer.status = code;
  };

const rows: readonly Row[] = [
  { check: 'The site answers', make: status('/', 404), words: /answers 404/u },
  {
    check: 'The site answers',
    target: { site: 'http://127.0.0.1:9259' },
    words: /cannot be reached/u,
  },
  {
    check: 'The site is encrypted, and so is every visit',
    target: { context: 'production', embedded: false },
    words: /not at an https/u,
  },
  {
    check: 'Every page has the headers of netlify.toml',
    make: (_path, { headers }) => {
      headers.delete('strict-transport-security');
    },
    words: /strict-transport-security/u,
  },
  {
    check: 'Every page has the headers of netlify.toml',
    make: (_path, { headers }) => {
      headers.set('x-frame-options', 'SAMEORIGIN');
    },
    words: /x-frame-options/u,
  },
  {
    check: 'The image CDN serves this shop’s images, and no other project’s',
    make: (_path, answer) => {
      if (answer.status === 403) answer.status = 502;
    },
    words: /502 for an image of another project/u,
  },
  {
    check: 'The image CDN serves this shop’s images, and no other project’s',
    make: (path, answer) => {
      if (path === '/.netlify/images' && answer.status === 200) answer.status = 403;
    },
    words: /403 for an image of this shop/u,
  },
  {
    check: 'Each page says what it may load, before anything else',
    make: replace('/cart', /<meta http-equiv="content-security-policy"[^>]*>/gu, ''),
    words: /missing/u,
  },
  {
    check: 'Each page says what it may load, before anything else',
    make: replace(
      '/',
      '<meta charset="utf-8">',
      '<script src="https://tracker.test/a.js"></script><meta charset="utf-8">',
    ),
    words: /behind something/u,
  },
  {
    check: 'Each page says what it may load, before anything else',
    make: replace(
      '/cart',
      /script-src 'self' https:\/\/checkout\.razorpay\.com/gu,
      "script-src 'self'",
    ),
    words: /Razorpay’s checkout/u,
  },
  {
    check: 'The pages speak to this database',
    make: replace('/', /connect-src [^;]*/gu, 'connect-src https://other.supabase.co'),
    words: /other\.supabase\.co/u,
  },
  {
    check: 'The site names itself as its own address',
    make: replace(
      '/',
      /rel="canonical" href="[^"]*"/gu,
      'rel="canonical" href="https://preview.test/"',
    ),
    words: /preview\.test/u,
  },
  {
    check: 'Search engines may list the shop, and only the shop',
    make: replace('/robots.txt', /Disallow: .*/gu, 'Disallow: /'),
    words: /keeps search engines out/u,
  },
  {
    check: 'Search engines may list the shop, and only the shop',
    make: replace('/', '<title>', '<meta name="robots" content="noindex"><title>'),
    words: /keeps search engines out/u,
  },
  {
    check: 'Search engines may list the shop, and only the shop',
    target: { context: 'deploy-preview', embedded: false },
    words: /may list this preview/u,
  },
  {
    check: 'A stranger reads every page that Razorpay asks for',
    make: status('/shipping-policy', 404),
    words: /^\/shipping-policy answers 404\.$/u,
  },
  {
    check: 'The functions are deployed',
    make: status('/api/payment/create-order', 404),
    words: /answers 404 to a stranger/u,
  },
  {
    check: 'The owner’s page is closed',
    make: status('/api/admin/orders', 200),
    words: /answers 200 without a password/u,
  },
  {
    check: 'All parts are at work',
    make: replace('/api/health', '"sweep":{"ok":true', '"sweep":{"ok":false,"reason":"silent"'),
    words: /sweep \(silent\)/u,
  },
  {
    check: 'All parts are at work',
    make: (path, answer) => {
      if (path === '/api/health') answer.text = '<html>';
    },
    words: /without a report/u,
  },
  {
    check: 'Nothing but the site is served',
    make: status('/.env', 200),
    words: /Anybody may read \/\.env/u,
  },
];

const part = { ok: true };
const wellReport: HealthReport = {
  status: 'pass',
  version: '1.0.0',
  at: '2026-11-22T00:00:00.000Z',
  checks: {
    database: part,
    provider: part,
    mail: part,
    signUp: part,
    sweep: part,
    forget: part,
    webhook: part,
    build: part,
  },
};

/** The running stack behind a proxy, which changes what it answers: a site with one fault. */
async function startProxy(current: () => Row['make']): Promise<Served> {
  const { url } = runningShop();
  const proxy = await serveFetch(async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === 'GET' ? null : await request.text();
    const contentType = request.headers.get('content-type');
    const given = await fetch(url + pathname + search, {
      method: request.method,
      body,
      redirect: 'manual',
      headers: contentType === null ? {} : { 'content-type': contentType },
    });
    const headers = new Headers(given.headers);
    for (const name of [
      'content-encoding',
      'content-length',
      'transfer-encoding',
      'connection',
      'keep-alive',
    ])
      headers.delete(name);
    // The site's own address is the proxy's.
    const answer: Answer = {
      status: given.status,
      headers,
      text: (await given.text()).replaceAll(
        /(?<=canonical" href="|<loc>|Sitemap: )http:\/\/localhost:\d+/gu,
        proxy.url,
      ),
    };
    // Changes that other tests make to this stack do not count here.
    if (pathname === '/api/health') answer.text = JSON.stringify(wellReport);
    current()?.(pathname, answer);
    return new Response(answer.text, { status: answer.status, headers });
  });
  return proxy;
}

test('each fault of a deployed site is found, with what to do', async () => {
  let row: Row | undefined;
  const proxy = await startProxy(() => row?.make);
  const { url } = runningShop();
  const target = (changes: Partial<Target> = {}): Target => ({
    env: { PUBLIC_SUPABASE_URL: url, SUPABASE_SECRET_KEY: stackSecrets().secretKey },
    context: 'dev',
    site: proxy.url,
    embedded: true,
    sendMail: false,
    triggerBuild: false,
    supabaseApi: { address: url, token: undefined },
    netlifyApi: { address: url, token: undefined, siteId: undefined },
    ...changes,
  });
  try {
    const healthy = await runChecks(target(), { site: siteChecks });
    expect(healthy.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(
      siteChecks
        .map(({ name }) => name)
        .filter((name) => !rows.some(({ check }) => check === name)),
    ).toEqual([]);
    for (row of rows) {
      const { check, words } = row;
      const found = await runChecks(target(row.target), {
        site: siteChecks.filter(({ name }) => name === check),
      });
      expect(found, check).toMatchObject([
        { result: 'fault', what: expect.stringMatching(words) as unknown },
      ]);
    }
  } finally {
    await proxy.close();
  }
});
