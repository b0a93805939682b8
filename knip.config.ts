import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { KnipConfig } from 'knip';

/** Files that nothing imports because something else starts or serves them. Plugins find Astro's pages and the tests. */
const config: KnipConfig = {
  entry: [
    'netlify/functions/*.ts',
    // A function with a folder of its own is the file of the folder's name.
    ...globSync('netlify/functions/*/*.ts').filter(
      (path) => basename(path, '.ts') === basename(dirname(path)),
    ),
    // Registered by being there: the places that `import.meta.glob` reads, and pages.
    'src/features/*/{MorePanel,MyDataButtons,OrderSummaryLine}.tsx',
    'src/features/*/{HomeBand,PageEnd,BuyBoxButton,BuyBoxEnd,CardCorner,FactsFigure,PageHead,ProductEnd}.astro',
    'src/features/*/{cart-page,every-page,every-product,fill-card,home-band,human-check,person-actions,product-page,site-link}.ts',
    'src/features/*/pages/**/*.{astro,ts}',
    'netlify/edge-functions/*.ts',
    'local/*.ts',
    'local/*/stack-part.ts',
    // Served to the browser as they are.
    'local/razorpay/checkout/checkout{,-dialog}.{ts,css}',
    'local/*/{api,frame}.ts',
    'public/*.js',
    'local/site/build-site.ts',
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
  // A type may be named by whoever calls the function that it belongs to.
  ignoreExportsUsedInFile: { interface: true, type: true },
};

export default config;
