import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { satteri } from '@astrojs/markdown-satteri';
import netlify from '@astrojs/netlify';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { loadEnv } from 'vite';
import { scriptTargets, styleTargets } from './src/domain/browsers.ts';
import { bucketPath } from './src/domain/image.ts';
import { speculationRules } from './src/domain/next-pages.ts';
import { writeCategoryRedirects } from './src/integrations/category-redirects.ts';
import { listFeatures } from './src/integrations/list-features.ts';
import { checkShop } from './src/integrations/check-shop/check-shop.ts';
import { shopFolder } from './src/integrations/check-shop/shop-folder.ts';
import { scriptHash } from './src/services/inline-script.ts';
import { cashOnDelivery } from './src/settings/cash-on-delivery.ts';
import { shop } from './src/settings/shop.ts';

const settings = { ...loadEnv('production', process.cwd(), ''), ...process.env };

checkShop(
  fileURLToPath(new URL('./src/shop', import.meta.url)),
  shopFolder,
  settings.CONTEXT === 'production',
);

/** @param {string | undefined} address */
const originOf = (address) =>
  address && URL.canParse(address) ? new URL(address).origin : undefined;

// Canonical addresses never name a preview: Netlify's URL is the site's own address in every context.
const site = originOf(settings.PUBLIC_SITE_URL) ?? originOf(settings.URL) ?? shop.defaultOrigin;
const database = originOf(settings.PUBLIC_SUPABASE_URL) ?? '';
const forms = originOf(settings.PUBLIC_FORM_ENDPOINT) ?? '';

if (settings.PUBLIC_SUPABASE_PUBLISHABLE_KEY?.startsWith('sb_secret_')) {
  throw new Error(
    'PUBLIC_SUPABASE_PUBLISHABLE_KEY is the secret key: it would stand in every page. Set the publishable one.',
  );
}

/** Netlify's id of this deploy; empty outside Netlify. */
const deployId = settings.DEPLOY_ID ?? '';

/** Modules of every page's frame become one file; the islands share it instead of cutting it into pieces. */
const frameSources = [
  'vite/preload-helper',
  // Not all of it: React's hook alone needs the rest.
  'node_modules/nanostores/atom/',
  'node_modules/nanostores/lifecycle/',
  'src/shop/shop.ts',
  'src/settings/shop.ts',
  'src/domain/cart/cart.ts',
  'src/domain/catalogue/product.ts',
  'src/domain/money.ts',
  'src/domain/next-pages.ts',
  'src/domain/account/session.ts',
  'src/domain/validate.ts',
  // The layout's own script: it would be a file of one import, and the frame would wait for it.
  'src/layouts/Base.astro?astro&type=script&index=1',
  '/every-page.ts',
  'src/elements/site/browse.ts',
  'src/elements/site/first-interaction.ts',
  'src/elements/motion/',
  'src/elements/site/site-header.ts',
  'src/elements/site/toast-region.ts',
  'src/elements/draw-toast.ts',
  'src/services/storage/stored-session.ts',
  'src/services/environment.ts',
  'src/services/storage/browser-storage.ts',
  'src/services/storage/has-stored-messages.ts',
  // The admin page needs it too, and nothing else of the products' file.
  'src/services/time-limit.ts',
  'src/stores/cart.ts',
  'src/stores/session.ts',
  'src/stores/stored-atom.ts',
  'src/stores/toasts.ts',
];
/** Modules that only pages with products need. */
const productSources = [
  // The script of this component: it would be a file of one import, as the layout's above.
  'src/components/product/ProductElements.astro?astro&type=script&index=0',
  'src/elements/site/',
  'src/domain/catalogue/current-stock.ts',
  // The cart has it, too; alone it would be a file of 128 bytes that the page waits for.
  'src/domain/sums/platform-fee.ts',
  'src/services/catalogue/current-stock.ts',
  'src/features/wishlist/wishlist-button.ts',
];
/** Those that no module has matched yet. */
const unmatched = new Set([...frameSources, ...productSources]);
/** @param {readonly string[]} sources */
const among = (sources) => (/** @type {string} */ id) => {
  const matching = sources.filter((source) => id.includes(source));
  for (const source of matching) unmatched.delete(source);
  return matching.length > 0;
};

/**
 * Refuses a source above that is the path of no module, as after a file was moved.
 * @type {import('vite').Plugin}
 */
const matchedSources = {
  name: 'matched-sources',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle() {
    if (unmatched.size > 0)
      this.error(`astro.config.mjs: no module has the path ${[...unmatched].join(', ')}`);
  },
};

/**
 * The list of what each lazy part needs would be loaded with every page; the parts ask for it themselves. Astro sets
 * this for the browser's build itself, after the settings below.
 * @type {import('vite').Plugin}
 */
const noPreloadLists = {
  name: 'no-preload-lists',
  apply: 'build',
  configEnvironment: (name) =>
    name === 'client' ? { build: { modulePreload: false } } : undefined,
};

/**
 * Leaves out scripts that no page can load. A lazy part behind a setting that is off is written all the same: the bundler finds it before
 * it knows that nothing imports it.
 * @type {import('vite').Plugin}
 */
const noUnreachedScripts = {
  name: 'no-unreached-scripts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    const reached = new Set();
    /** @param {string} name */
    const follow = (name) => {
      const file = bundle[name];
      if (file?.type !== 'chunk' || reached.has(name)) return;
      reached.add(name);
      for (const imported of file.imports) follow(imported);
      // The list has what the sources import; the code has what is left of it.
      for (const imported of file.dynamicImports)
        if (file.code.includes(basename(imported))) follow(imported);
    };
    for (const [name, file] of Object.entries(bundle))
      if (file.type === 'chunk' && file.isEntry) follow(name);
    for (const [name, file] of Object.entries(bundle))
      if (file.type === 'chunk' && !reached.has(name)) Reflect.deleteProperty(bundle, name);
  },
};

/**
 * Netlify's adapter for a site of static files: its asset addresses name their deploy, so that a page opened before
 * a deploy still finds its scripts. Left alone it would add a server function that answers every unknown path.
 * @returns {import('astro').AstroIntegration}
 */
function netlifyStatic() {
  const adapter = netlify({ devFeatures: false });
  const configured = adapter.hooks['astro:config:done'];
  return {
    ...adapter,
    hooks: {
      ...adapter.hooks,
      'astro:config:done': async (params) => {
        await configured?.({
          ...params,
          setAdapter: (made) => {
            params.setAdapter({
              ...made,
              adapterFeatures: { ...made.adapterFeatures, buildOutput: 'static' },
              // Without the adapter's header with the deploy's id, which only Astro's server islands and actions send.
              client:
                deployId === '' ? {} : { assetQueryParams: new URLSearchParams({ dpl: deployId }) },
            });
          },
        });
      },
    },
  };
}

/**
 * Images of products, at this project alone: other projects have a bucket of the same name.
 * @param {string} origin
 */
function productImages(origin) {
  const { protocol, hostname, port } = new URL(origin);
  return { protocol: protocol.slice(0, -1), hostname, port, pathname: `${bucketPath}**` };
}

/** @type {import('astro').AstroIntegration} */
const pageHtml = {
  name: 'page-html',
  hooks: {
    'astro:config:setup': ({ command, addMiddleware }) => {
      if (command !== 'build') return;
      addMiddleware({
        entrypoint: new URL('src/integrations/page-html.ts', import.meta.url),
        order: 'post',
      });
    },
  },
};

export default defineConfig({
  site,
  output: 'static',
  // Its dev plugin would run functions and redirects a second time, behind the embedded stack that runs them already.
  ...(process.env.NODE_ENV === 'development' ? {} : { adapter: netlifyStatic() }),
  session: false,
  // The adapter hands these to Netlify (.netlify/v1/config.json): its image CDN serves no other address.
  image: { remotePatterns: database === '' ? [] : [productImages(database)] },
  // `shop.html` answers /shop without a redirect; `shop/index.html` would answer /shop/.
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  integrations: [react(), listFeatures, pageHtml, writeCategoryRedirects],
  // The policies (src/shop/texts): quotation marks stay as they are typed, and `## Prices {#prices}` gives a heading its anchor.
  markdown: {
    processor: satteri({ features: { smartPunctuation: false, headingAttributes: true } }),
    syntaxHighlight: false,
  },
  devToolbar: { enabled: false },
  vite: {
    build: {
      target: scriptTargets,
      cssTarget: styleTargets,
      rolldownOptions: {
        // A page of the shop's files (src/pages/[...file].ts), at an address that stays.
        external: [/^\/fonts\//u],
        output: {
          codeSplitting: {
            groups: [
              { name: 'frame', test: among(frameSources), priority: 2 },
              { name: 'products', test: among(productSources), priority: 1 },
            ],
          },
        },
      },
    },
    plugins: [tailwindcss(), noPreloadLists, matchedSources, noUnreachedScripts],
    define: {
      'import.meta.env.PUBLIC_DEPLOY_CONTEXT': JSON.stringify(settings.CONTEXT ?? ''),
      'import.meta.env.PUBLIC_DEPLOY_ID': JSON.stringify(deployId),
      'import.meta.env.PUBLIC_OFFERS_CASH': JSON.stringify(cashOnDelivery !== null),
    },
  },
  security: {
    csp: {
      scriptDirective: {
        hashes: Object.values(speculationRules).map(scriptHash),
      },
      // netlify.toml has the rules that a meta tag cannot carry (frame-ancestors and the rest). /cart adds the payment provider.
      directives: [
        "default-src 'self'",
        // Pages with product images add `https:` (Base.astro).
        `img-src 'self' data: blob: ${database}`,
        `connect-src 'self' ${database} ${forms}`,
        `form-action 'self' ${forms}`,
        "object-src 'none'",
        "base-uri 'none'",
      ].map((directive) => /** @type {`img-src ${string}`} */ (directive.trim())),
    },
  },
});
