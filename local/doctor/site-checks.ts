import { healthReportSchema } from '#core/health/health-report.ts';
import { textPages } from '#domain/texts/text-pages.ts';
import { bucketPath } from '#domain/image.ts';
import { readNetlifyConfig } from '#local/emulators/netlify/site/netlify-config.ts';
import { type Check, Skipped, type Target, ask, tellUnreachable, valueOf } from './check.ts';
import { askFunction, openSite, readFoundPage, readPage, siteOf, strangerAt } from './live-site.ts';

const isIndexed = ({ context, embedded }: Target): boolean => context === 'production' || embedded;
/** Files that must never be served. */
const privatePaths = [
  '/.env',
  '/netlify.toml',
  '/package.json',
  '/supabase/config.toml',
  '/local/emulators/supabase/database/config.toml',
  '/local/start.ts',
  '/.netlify/netlify.toml',
  '/.git/HEAD',
];

export const siteChecks: readonly Check[] = [
  {
    name: 'The site answers',
    run: async (target) =>
      tellUnreachable(async () => {
        const stranger = await strangerAt(target);
        if (stranger !== null) {
          // Netlify keeps previews private by themselves.
          if (stranger.kind === 'private' && !isIndexed(target))
            throw new Skipped('this preview is private, as Netlify’s previews are by themselves.');
          return stranger.fault;
        }
        const { status } = await readPage(target, '/');
        return status === 200 ? null : `${siteOf(target)}/ answers ${String(status)}.`;
      }),
    fix: 'Give the address that visitors see, without a redirect. Netlify, Domain management: the primary domain, and "HTTPS" with a certificate.',
  },
  {
    name: 'The site is encrypted, and so is every visit',
    async run(target) {
      const site = new URL(await openSite(target));
      if (target.context !== 'production' || target.embedded) return null;
      if (site.protocol !== 'https:') return 'The site is not at an https address.';
      const { status, headers } = await ask(`http://${site.host}/`);
      return status >= 300 &&
        status < 400 &&
        headers.get('location')?.startsWith('https://') === true
        ? null
        : 'http:// is not redirected to https://.';
    },
    fix: 'Netlify, Domain management, HTTPS: provide a certificate, and turn "Force HTTPS" on.',
  },
  {
    name: 'Every page has the headers of netlify.toml',
    async run(target) {
      const { headers } = await readFoundPage(target, '/');
      const expected = (await readNetlifyConfig()).withHeaders('/', new Response()).headers;
      const wrong = [...expected]
        .filter(([name, value]) => headers.get(name) !== value)
        .map(([name]) => name);
      return wrong.length === 0 ? null : `Missing or changed: ${wrong.join(', ')}.`;
    },
    fix: 'Deploy this checkout’s netlify.toml, and look for a proxy before Netlify that takes headers away.',
  },
  {
    name: 'Each page says what it may load, before anything else',
    async run(target) {
      const pages = await Promise.all([readFoundPage(target, '/'), readFoundPage(target, '/cart')]);
      const policies = pages.map(
        ({ text }) =>
          /<head>\s*<meta charset="utf-8">\s*<meta http-equiv="content-security-policy" content="([^"]*)"/u.exec(
            text,
          )?.[1],
      );
      if (policies.some((policy) => policy?.includes("default-src 'self'") !== true))
        return 'The policy is missing, or stands behind something.';
      return /script-src [^;]*https:\/\/checkout\.razorpay\.com/u.test(policies[1] ?? '')
        ? null
        : '/cart may not load Razorpay’s checkout.';
    },
    fix: 'Build with `npm run build`, and turn post processing (asset optimisation, snippet injection) off in Netlify: it changes pages after their policy was made.',
  },
  {
    name: 'The pages speak to this database',
    async run(target) {
      const { text } = await readFoundPage(target, '/');
      const origin = URL.parse(valueOf(target, 'PUBLIC_SUPABASE_URL'))?.origin;
      const connect = /connect-src ([^;"]*)/u.exec(text)?.[1] ?? '';
      return origin === undefined || connect.split(' ').includes(origin)
        ? null
        : `They may speak to ${connect.replace("'self'", '').trim()}, not to ${origin}.`;
    },
    fix: 'Set PUBLIC_SUPABASE_URL for this context and deploy again: the address is built into the pages.',
  },
  {
    name: 'The image CDN serves this shop’s images, and no other project’s',
    async run(target) {
      const { text } = await readFoundPage(target, '/shop');
      const own = /\/\.netlify\/images\?url=http[^"\s]*/u.exec(text)?.[0].replaceAll('&amp;', '&');
      const other = `https://another-project.supabase.co${bucketPath}a.webp`;
      const refused = await readPage(
        target,
        `/.netlify/images?url=${encodeURIComponent(other)}&w=240&fm=webp&q=75`,
      );
      if (refused.status !== 400 && refused.status !== 403)
        return `It answers ${String(refused.status)} for an image of another project, not 403.`;
      if (own === undefined) return null;
      const { status } = await readPage(target, own);
      return status === 200 ? null : `It answers ${String(status)} for an image of this shop.`;
    },
    fix: 'Set PUBLIC_SUPABASE_URL for this context, remove [images] from netlify.toml, and deploy again: the build hands the address to Netlify in .netlify/v1/config.json.',
  },
  {
    name: 'The site names itself as its own address',
    async run(target) {
      const { text } = await readFoundPage(target, '/');
      const canonical = /<link rel="canonical" href="([^"]*)"/u.exec(text)?.[1];
      if (!isIndexed(target)) return null;
      if (canonical === undefined) return 'The home page has no canonical address.';
      return new URL(canonical).origin === siteOf(target)
        ? null
        : `It calls itself ${new URL(canonical).origin}.`;
    },
    fix: 'Make this domain the primary one in Netlify, or set PUBLIC_SITE_URL to it, and deploy again.',
  },
  {
    name: 'Search engines may list the shop, and only the shop',
    async run(target) {
      const [home, robots] = await Promise.all([
        readFoundPage(target, '/'),
        readFoundPage(target, '/robots.txt'),
      ]);
      const closed =
        /^Disallow: \/$/mu.test(robots.text) ||
        home.text.includes('<meta name="robots" content="noindex"') ||
        (home.headers.get('x-robots-tag') ?? '').includes('noindex');
      if (!isIndexed(target)) return closed ? null : 'Search engines may list this preview.';
      if (closed) return 'robots.txt or the home page keeps search engines out.';
      return robots.text.includes(`Sitemap: ${siteOf(target)}/sitemap.xml`)
        ? null
        : 'robots.txt does not name this site’s sitemap.';
    },
    fix: 'The build reads CONTEXT, which Netlify sets: deploy from Netlify, to the production branch; do not upload a build made elsewhere.',
  },
  {
    name: 'A stranger reads every page that Razorpay asks for',
    async run(target) {
      const answers = await Promise.all(
        textPages.map(async (path) => ({ path, status: (await readPage(target, path)).status })),
      );
      const closed = answers.filter(({ status }) => status !== 200);
      return closed.length === 0
        ? null
        : `${closed.map(({ path, status }) => `${path} answers ${String(status)}`).join(', ')}.`;
    },
    fix: 'Razorpay verifies the website before it gives live keys: about, contact, prices (/shop), terms, privacy, refunds and shipping (docs/going-live.md, "Razorpay looks at your shop"). Deploy again, and look for redirects in Netlify.',
  },
  {
    name: 'The functions are deployed',
    async run(target) {
      const status = await askFunction(target, '/api/payment/create-order', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      return status === 401
        ? null
        : `/api/payment/create-order answers ${String(status)} to a stranger, not 401.`;
    },
    fix: 'Netlify, Logs, Functions: are they there? A deploy of a folder by hand has none: connect the repository.',
  },
  {
    name: 'The owner’s page is closed',
    async run(target) {
      const status = await askFunction(target, '/api/admin/orders');
      return status === 401
        ? null
        : `/api/admin/orders answers ${String(status)} without a password, not 401.`;
    },
    fix: 'ADMIN_PASSWORD_HASH is missing in this context, or another function answers: look into Netlify’s function log.',
  },
  {
    name: 'All parts are at work',
    async run(target) {
      const { status, text } = await readPage(target, '/api/health');
      const report = healthReportSchema.safeParse(
        JSON.parse(text.startsWith('{') ? text : 'null'),
      ).data;
      if (report === undefined) return `/api/health answers ${String(status)} without a report.`;
      const failing = Object.entries(report.checks).flatMap(([name, { ok, reason }]) =>
        ok && reason === undefined ? [] : [`${name} (${reason ?? 'failing'})`],
      );
      return failing.length === 0 ? null : `/api/health says: ${failing.join(', ')}.`;
    },
    fix: 'docs/alerts.md has a section for each of them.',
  },
  {
    name: 'Nothing but the site is served',
    async run(target) {
      const found = await Promise.all(
        privatePaths.map(async (path) =>
          (await readPage(target, path)).status === 200 ? path : '',
        ),
      );
      const leaks = found.filter((path) => path !== '');
      return leaks.length === 0 ? null : `Anybody may read ${leaks.join(', ')}.`;
    },
    fix: 'The publish directory must be dist, as netlify.toml says: Netlify, Build & deploy, Build settings. Change every secret in these files.',
  },
];
