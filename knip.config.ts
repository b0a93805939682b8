import { existsSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** Packages that one feature alone imports. They stay in package.json when somebody deletes its folders. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  push: ['@block65/webcrypto-web-push'],
  'second-factor': ['otpauth', 'qrcode-generator'],
};
const withoutFeature = Object.entries(packagesOf).flatMap(([feature, packages]) =>
  existsSync(`src/features/${feature}`) ? [] : packages,
);

/*
 * Files that nothing imports because something else starts or serves them. Plugins find Astro's pages and the tests. An export
 * with the tag @public is for features: the core does not use it, and features can be taken out.
 */
const config: KnipConfig = {
  entry: [
    'netlify/functions/*.ts',
    // The places of several features, which `import.meta.glob` reads, and pages.
    'src/features/*/{MorePanel,OrderPanel}.tsx',
    'src/features/*/{every-page,inbox-list,order-tools,product-page}.ts',
    'src/features/*/pages/**/*.{astro,ts}',
    'netlify/edge-functions/*.ts',
    'local/*.ts',
    'local/*/{stack-part,stack-secret}.ts',
    // Served to the browser as they are.
    'local/emulators/razorpay/checkout/checkout{,-dialog}.{ts,css}',
    'local/security-check/{api,frame}.ts',
    'local/emulators/netlify/site/build-site.ts',
    // Named by its address: Astro loads it.
    'src/integrations/page-html.ts',
    'tests/bench/*.ts',
    // Named on the command line of the test runners.
    'tests/progress/{vitest,playwright}-reporter.ts',
    // The scripts of single checks, by their names.
    'tests/bench/reliability/{canaries,mutations,webhook-load}.ts',
    'tests/bench/reliability/*.spec.ts',
  ],
  // Stands in for src/shop, where its imports lead.
  ignore: ['tests/second-shop/**'],
  ignoreDependencies: withoutFeature,
  // A type may be named by whoever calls the function that it belongs to.
  ignoreExportsUsedInFile: { interface: true, type: true },
};

export default config;
