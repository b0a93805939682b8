/** One command of a check. What it measures it appends to the file named by RELIABILITY_FIGURES. */
export type Command = readonly [program: string, ...parameters: string[]];

/** The limit of a figure, by the name under which the test reports it. */
type Limit = readonly [figure: string, relation: '=' | '≥' | '≤', limit: number];

export interface Check {
  /** The number in the list of checks, or a name for what is measured besides. */
  id: string;
  title: string;
  /** All of them must hold. Other figures are only shown. */
  asks: readonly Limit[];
  commands: readonly Command[];
}

/** Vitest with the long sizes of `times`, on these files; on the tests alone that match `name`, when given. */
const vitest = (project: string, files: readonly string[], name?: string): Command => [
  ...([
    'npx',
    'vitest',
    'run',
    '--mode',
    'soak',
    '--testTimeout',
    '1800000',
    '--hookTimeout',
    '1800000',
    '--project',
    project,
  ] as const),
  ...files,
  ...(name === undefined ? [] : ['--testNamePattern', name]),
];
const script = (name: string, ...parameters: string[]): Command => [
  'node',
  `tests/bench/reliability/${name}.ts`,
  ...parameters,
];
const browser = (
  specs: readonly string[],
  name: string,
  config = 'playwright.config.ts',
): Command => [
  'npx',
  'playwright',
  'test',
  '--config',
  config,
  '--timeout',
  '1800000',
  ...specs,
  '--grep',
  name,
];

const zero = (figure: string): Limit => [figure, '=', 0];

export const checks: readonly Check[] = [
  {
    id: '1',
    title: 'many buyers of ten pieces on real PostgreSQL',
    asks: [
      ['connections', '≥', 200],
      ['tries each', '≥', 25],
      ['rounds', '≥', 20],
      ['fewest holds', '=', 10],
      ['most holds', '=', 10],
      zero('deadlocks'),
    ],
    commands: [
      vitest('database', ['tests/database/checkout/stock.race.test.ts'], 'exactly ten holds'),
    ],
  },
  {
    id: '2',
    title: 'random carts of four lines, edits, releases and payments at once',
    asks: [
      ['connections', '≥', 200],
      ['carts', '≥', 1_000],
      zero('deadlocks'),
      zero('wrong stock sums'),
    ],
    commands: [
      vitest('database', ['tests/database/checkout/stock.race.test.ts'], 'carts of four pieces'),
    ],
  },
  {
    id: '3',
    title: 'bad create-orders',
    asks: [
      ['bad orders', '≥', 500],
      zero('not refused'),
      zero('calls of the provider'),
      zero('changes of rows'),
    ],
    commands: [vitest('functions', ['tests/functions/checkout/bad-orders.test.ts'])],
  },
  {
    id: '4',
    title: 'one webhook delivered 100 times at once',
    asks: ['under one id', 'under ids of their own'].flatMap((name): Limit[] => [
      [`deliveries ${name}`, '≥', 100],
      [`transitions ${name}`, '=', 1],
      [`e-mails to the buyer ${name}`, '=', 1],
    ]),
    commands: [
      vitest('functions', ['tests/functions/payments/webhook.test.ts'], 'many times at once'),
      vitest(
        'database',
        ['tests/database/orders/payments.race.test.ts'],
        'times at once|events about one payment',
      ),
    ],
  },
  {
    id: '5',
    title: 'changed signatures',
    asks: [
      ['changed signatures', '≥', 1_000],
      zero('accepted'),
      ['sent to the endpoint', '≥', 1_000],
      zero('not refused there'),
      zero('rows written'),
      zero('bodies accepted'),
    ],
    commands: [
      vitest('functions', ['tests/functions/payments/signature.test.ts']),
      vitest('functions', ['tests/functions/checkout/verify.test.ts'], 'changed signatures'),
    ],
  },
  {
    id: '6',
    title: '3 shoppers × 3 orders × 3 endpoints',
    asks: [
      ['requests', '=', 27],
      zero('own orders refused'),
      zero('foreign orders not refused alike'),
    ],
    commands: [vitest('functions', ['tests/functions/checkout/foreign-orders.test.ts'])],
  },
  {
    id: '7',
    title: 'events of a payment in every order, each twice',
    asks: [
      ['orders of five', '=', 120],
      ['final states', '=', 1],
      ['orders of six in SQL', '=', 720],
      ['final states in SQL', '=', 1],
    ],
    commands: [
      vitest('functions', ['tests/functions/payments/webhook.test.ts'], 'events in any order'),
      vitest(
        'database',
        ['tests/database/orders/payments.race.test.ts'],
        'six events in every order',
      ),
    ],
  },
  {
    id: '8',
    title: 'functions killed before and after each call they make, then one sweep',
    asks: [['points', '≥', 150], ['functions', '≥', 9], zero('left unhealed by one sweep')],
    commands: [
      vitest('simulation', ['tests/simulation/kill-points.test.ts'], 'killed at any outgoing call'),
    ],
  },
  {
    id: '9',
    title: 'paid after the hold with the stock gone',
    asks: [
      ['triggers', '≥', 50],
      ['refunds', '=', 1],
    ],
    commands: [vitest('database', ['tests/database/orders/payments.race.test.ts'], 'stock gone')],
  },
  {
    id: '10',
    title: 'every table × action × visitor, two shoppers, service',
    asks: [['cases', '≥', 256], zero('wrong cases')],
    commands: [vitest('database', ['tests/database/schema/permissions.test.ts'])],
  },
  {
    id: '11',
    title: 'ways to claim an address',
    asks: [['ways', '≥', 20], zero('foreign rows')],
    commands: [
      vitest('database', ['tests/database/schema/accounts.test.ts'], 'twenty-one other ways'),
    ],
  },
  {
    id: '12',
    title: 'guesses of the admin’s password',
    asks: [
      ['guesses', '≥', 1_000],
      ['addresses', '≥', 50],
      ['evaluated in a window', '≤', 10],
      zero('right passwords refused afterwards'),
    ],
    commands: [
      vitest('functions', ['tests/functions/admin/admin-login.test.ts'], 'of many guesses'),
    ],
  },
  {
    id: '13',
    title: 'changing endpoints without or with a foreign Origin, another type, an ended session',
    asks: [
      ['changing endpoints of the admin', '≥', 12],
      ['requests', '≥', 200],
      zero('not refused'),
      zero('changes of rows'),
      ['changing endpoints of all', '≥', 25],
      zero('foreign Origins taken'),
    ],
    commands: [
      vitest('functions', [
        'tests/functions/admin/admin-access.test.ts',
        'tests/functions/platform/origins.test.ts',
      ]),
    ],
  },
  {
    id: '14',
    title: 'canary secrets in a build with source maps, its answers and logs',
    asks: [
      ['canaries', '≥', 10],
      ['files', '≥', 100],
      ['maps', '≥', 10],
      ['answers', '≥', 60],
      ['log lines', '≥', 20],
      zero('hits'),
    ],
    commands: [script('canaries')],
  },
  {
    id: '15',
    title: 'payloads in every field of products and orders, in a browser',
    asks: [
      ['payloads', '≥', 100],
      ['fields', '≥', 15],
      ['pages', '≥', 300],
      zero('executions'),
      zero('CSP reports'),
    ],
    commands: [browser(['payloads'], 'payloads', 'tests/bench/playwright.config.ts')],
  },
  {
    id: '16',
    title: 'hostile files as pictures',
    asks: [
      ['hostile files', '≥', 40],
      zero('not refused'),
      ['stored pictures', '≥', 5],
      zero('of another kind than WebP'),
    ],
    commands: [vitest('functions', ['tests/functions/admin/products/admin-images.test.ts'])],
  },
  {
    id: '17',
    title: 'redirects after signing in',
    asks: [['payloads', '≥', 60], zero('that leave the shop')],
    commands: [vitest('unit', ['tests/unit/account/same-origin-path.test.ts'])],
  },
  {
    id: '18',
    title: 'a checkout in the browser, and scripts put into /cart',
    asks: [
      ['checkouts on a phone', '=', 1],
      zero('CSP reports on a phone'),
      ['checkouts on a desktop', '=', 1],
      zero('CSP reports on a desktop'),
      ['scripts blocked', '=', 3],
      zero('scripts run'),
    ],
    commands: [
      browser(
        ['content-policy', 'purchase.spec'],
        'scripts put into|from the home page to the order list',
      ),
    ],
  },
  {
    id: '19',
    title: 'the contact form, robots and people',
    asks: [
      ['posts of robots', '≥', 500],
      ['accepted', '≤', 5],
      ['posts at a person’s pace', '≥', 50],
      zero('of them refused'),
    ],
    commands: [vitest('functions', ['tests/functions/forms/contact.test.ts'], 'robots that fill')],
  },
  {
    id: '20',
    title: 'dependencies: locked, without install scripts of their own',
    asks: [
      ['locked packages', '≥', 100],
      zero('unlocked or changed'),
      zero('install scripts not allowed'),
      ['tampered locks refused', '=', 5],
    ],
    commands: [vitest('unit', ['tests/unit/project/dependencies.test.ts'])],
  },
  {
    id: '21',
    title: 'faults of the payment service × its calls',
    asks: [
      ['calls with a fault', '≥', 49],
      zero('without a typed error'),
      ['faults of a creation', '≥', 7],
      ['most orders of one creation', '=', 1],
    ],
    commands: [vitest('functions', ['tests/functions/payments/razorpay.test.ts'])],
  },
  {
    id: '22',
    title: 'webhooks at 50 a second on the embedded stack',
    asks: [
      ['webhooks', '≥', 1_000],
      ['a second', '≥', 49],
      ['p99 in ms', '≤', 200],
      zero('refused'),
      zero('orders not completed'),
    ],
    commands: [script('webhook-load')],
  },
  {
    id: '23',
    title: 'the webhook’s secret is changed',
    asks: [
      ['secrets accepted within the window', '=', 2],
      ['new ones accepted afterwards', '=', 1],
      zero('old ones accepted afterwards'),
    ],
    commands: [
      vitest('functions', ['tests/functions/payments/webhook.test.ts'], 'while secrets rotate'),
    ],
  },
  {
    id: '24',
    title: 'random carts: paise that the cart shows, paise that place_order charges',
    asks: [['carts', '≥', 1_000_000], zero('carts with another price')],
    commands: [vitest('database', ['tests/database/checkout/charged-price.test.ts'])],
  },
  {
    id: '25',
    title: 'mutants of the lines that decide signature, amount and owner',
    asks: [['mutants', '≥', 60], ['killed in %', '≥', 90], zero('survivors')],
    commands: [script('mutations')],
  },
  {
    id: 'simulation',
    title: 'histories with faults and kills',
    asks: [['histories', '≥', 200], ['faults', '≥', 500], zero('violations')],
    commands: [['node', 'tests/simulation/run.ts', '--seed', '1', '--histories', '200']],
  },
  {
    id: 'heal',
    title: 'open orders past their time, looked at by sweeps',
    asks: [['due orders', '≥', 1_000], zero('left')],
    commands: [
      vitest(
        'functions',
        ['tests/functions/payments/sweep-orders.test.ts'],
        'a long list of due orders',
      ),
    ],
  },
];
