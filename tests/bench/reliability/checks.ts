/** One command of a check. What it measures it appends to the file named by RELIABILITY_FIGURES. */
export type Command = readonly [program: string, ...parameters: string[]];

export interface Check {
  /** The number in the list of checks, or a name for what is measured besides. */
  id: string;
  title: string;
  /**
   * The limits as the table of docs/reliability.md shows them, each with the name under which the test reports the figure.
   * All of them must hold. Other figures are only shown.
   */
  asks: string;
  commands: readonly Command[];
}

/** Time limit of a test with the long sizes, in ms. */
const limit = '1800000';

/** The project of vitest.config.ts that has a test file: that of its folder, or for a feature's test that of its name. */
export const projectOf = (file: string): string =>
  /\.(database|functions)\.test\.ts$/u.exec(file)?.[1] ??
  (file.startsWith('src/') ? 'unit' : file.split('/')[1]) ??
  '';

/** Runs a file of tests with the long sizes of `times`, or only the tests that match `name`. */
function vitest(file: string, name?: string): Command {
  const project = projectOf(file);
  const options = ['--mode', 'soak', '--testTimeout', limit, '--hookTimeout', limit];
  const chosen = name === undefined ? [] : ['--testNamePattern', name];
  return ['npx', 'vitest', 'run', ...options, '--project', project, file, ...chosen];
}

/** Runs the browser tests of these files that match `name`. */
function playwright(config: string, name: string, ...files: string[]): Command {
  const options = ['--config', config, '--timeout', limit];
  return ['npx', 'playwright', 'test', ...options, ...files, '--grep', name];
}

export const checks: readonly Check[] = [
  {
    id: '1',
    title: 'many customers who buy ten units on real PostgreSQL',
    asks: 'connections ≥ 200; tries each ≥ 25; rounds ≥ 20; fewest holds = 10; most holds = 10; deadlocks = 0',
    commands: [vitest('tests/database/checkout/stock.race.test.ts', 'exactly ten holds')],
  },
  {
    id: '2',
    title: 'random carts of four lines, edits, releases and payments at once',
    asks: 'connections ≥ 200; carts ≥ 1,000; deadlocks = 0; wrong stock sums = 0',
    commands: [vitest('tests/database/checkout/stock.race.test.ts', 'carts of four products')],
  },
  {
    id: '3',
    title: 'bad create-orders',
    asks: 'bad orders ≥ 500; not refused = 0; calls of the provider = 0; changes of rows = 0',
    commands: [vitest('tests/functions/checkout/bad-orders.test.ts')],
  },
  {
    id: '4',
    title: 'one webhook delivered 100 times at once',
    asks: 'deliveries under one id ≥ 100; transitions under one id = 1; e-mails to the customer under one id = 1; deliveries under ids of their own ≥ 100; transitions under ids of their own = 1; e-mails to the customer under ids of their own = 1',
    commands: [
      vitest('tests/functions/payments/webhook.test.ts', 'many times at once'),
      vitest(
        'tests/database/payments/payments.race.test.ts',
        'times at once|events about one payment',
      ),
    ],
  },
  {
    id: '5',
    title: 'changed signatures',
    asks: 'changed signatures ≥ 1,000; accepted = 0; sent to the endpoint ≥ 1,000; not refused there = 0; rows written = 0; bodies accepted = 0',
    commands: [
      vitest('tests/functions/payments/signature.test.ts'),
      vitest('tests/functions/checkout/verify.test.ts', 'changed signatures'),
    ],
  },
  {
    id: '6',
    title: '3 customers × 3 orders × 3 endpoints',
    asks: 'requests = 27; own orders refused = 0; foreign orders not refused alike = 0',
    commands: [vitest('tests/functions/checkout/foreign-orders.test.ts')],
  },
  {
    id: '7',
    title: 'events of a payment in every order, each twice',
    asks: 'orders of five = 120; final states = 1; orders of six in SQL = 720; final states in SQL = 1',
    commands: [
      vitest('tests/functions/payments/webhook.test.ts', 'events in any order'),
      vitest('tests/database/payments/payments.race.test.ts', 'six events in every order'),
    ],
  },
  {
    id: '8',
    title: 'functions killed before and after each call they make, then one sweep',
    asks: 'points ≥ 150; functions ≥ 9; left unhealed by one sweep = 0',
    commands: [vitest('tests/simulation/kill-points.test.ts', 'killed at any outgoing call')],
  },
  {
    id: '9',
    title: 'paid after the hold with the stock gone',
    asks: 'triggers ≥ 50; refunds = 1',
    commands: [vitest('tests/database/payments/payments.race.test.ts', 'stock gone')],
  },
  {
    id: '10',
    title: 'every table × action × visitor, two customers, service',
    asks: 'cases ≥ 256; wrong cases = 0',
    commands: [vitest('tests/database/schema/permissions.test.ts')],
  },
  {
    id: '11',
    title: 'ways to claim an address',
    asks: 'ways ≥ 20; foreign rows = 0',
    commands: [vitest('tests/database/operation/accounts.test.ts', 'twenty-one other ways')],
  },
  {
    id: '12',
    title: 'guesses of the admin’s password',
    asks: 'guesses ≥ 1,000; addresses ≥ 50; evaluated in a window ≤ 10; right passwords refused afterwards = 0',
    commands: [vitest('tests/functions/admin/admin-login.test.ts', 'of many guesses')],
  },
  {
    id: '13',
    title: 'changing endpoints without or with a foreign Origin, another type, an ended session',
    asks: 'changing endpoints of the admin ≥ 12; requests ≥ 200; not refused = 0; changes of rows = 0; changing endpoints of all ≥ 25; foreign Origins taken = 0',
    commands: [
      vitest('tests/functions/admin/admin-access.test.ts'),
      vitest('tests/functions/platform/origins.test.ts'),
    ],
  },
  {
    id: '14',
    title: 'canary secrets in a build with source maps, its answers and logs',
    asks: 'canaries ≥ 10; files ≥ 100; maps ≥ 10; answers ≥ 60; log lines ≥ 20; hits = 0',
    commands: [['node', 'tests/bench/reliability/canaries.ts']],
  },
  {
    id: '15',
    title: 'payloads in every field of products and orders, in a browser',
    asks: 'payloads ≥ 100; fields ≥ 15; pages ≥ 300; executions = 0; CSP reports = 0',
    commands: [playwright('tests/bench/playwright.config.ts', 'payloads', 'payloads')],
  },
  {
    id: '16',
    title: 'hostile files as pictures',
    asks: 'hostile files ≥ 40; not refused = 0; stored pictures ≥ 5; of another kind than WebP = 0',
    commands: [vitest('tests/functions/admin/products/admin-images.test.ts')],
  },
  {
    id: '17',
    title: 'redirects after signing in',
    asks: 'payloads ≥ 60; that leave the shop = 0',
    commands: [vitest('tests/unit/account/same-origin-path.test.ts')],
  },
  {
    id: '18',
    title: 'a checkout in the browser, and scripts put into /cart',
    asks: 'checkouts on a phone = 1; CSP reports on a phone = 0; checkouts on a desktop = 1; CSP reports on a desktop = 0; scripts blocked = 3; scripts run = 0',
    commands: [
      playwright(
        'playwright.config.ts',
        'scripts put into|from the home page to the order list',
        'content-policy',
        'purchase.spec',
      ),
    ],
  },
  {
    id: '19',
    title: 'the contact form, robots and people',
    asks: 'posts of robots ≥ 500; accepted ≤ 30; posts at a person’s pace ≥ 50; of them refused = 0',
    commands: [vitest('tests/features/contact/contact.functions.test.ts', 'robots that fill')],
  },
  {
    id: '20',
    title: 'dependencies: locked, without install scripts of their own',
    asks: 'locked packages ≥ 100; unlocked or changed = 0; install scripts not allowed = 0; tampered locks refused = 5',
    commands: [vitest('tests/unit/project/dependencies.test.ts')],
  },
  {
    id: '21',
    title: 'faults of the payment service × its calls',
    asks: 'calls with a fault ≥ 49; without a typed error = 0; faults of a creation ≥ 7; most orders of one creation = 1',
    commands: [vitest('tests/functions/payments/razorpay.test.ts')],
  },
  {
    id: '22',
    title: 'webhooks at 50 a second on the embedded stack',
    asks: 'webhooks ≥ 1,000; a second ≥ 49; p99 in ms ≤ 200; refused = 0; orders not completed = 0',
    commands: [['node', 'tests/bench/reliability/webhook-load.ts']],
  },
  {
    id: '23',
    title: 'the webhook’s secret is changed',
    asks: 'secrets accepted within the window = 2; new ones accepted afterwards = 1; old ones accepted afterwards = 0',
    commands: [vitest('tests/functions/payments/webhook.test.ts', 'while secrets rotate')],
  },
  {
    id: '24',
    title: 'random carts: paise that the cart shows, paise that place_order charges',
    asks: 'carts ≥ 1,000,000; carts with another price = 0',
    commands: [vitest('tests/database/checkout/charged-price.test.ts')],
  },
  {
    id: '25',
    title: 'mutants of the lines that decide signature, amount and owner',
    asks: 'mutants ≥ 60; killed in % ≥ 90; survivors = 0',
    commands: [['node', 'tests/bench/reliability/mutations.ts']],
  },
  {
    id: 'simulation',
    title: 'histories with faults and kills',
    asks: 'histories ≥ 200; faults ≥ 500; violations = 0',
    commands: [['node', 'tests/simulation/run.ts', '--seed', '1', '--histories', '200']],
  },
  {
    id: 'heal',
    title: 'open orders past their time, looked at by sweeps',
    asks: 'due orders ≥ 1,000; left = 0',
    commands: [
      vitest('tests/functions/payments/sweep-orders.test.ts', 'a long list of due orders'),
    ],
  },
];
