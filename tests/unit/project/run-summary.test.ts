import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { watchProcessorTime } from '../../processor-time.ts';
import { playwrightResults, runSummary, vitestResults } from '../../run-summary.ts';

const rules = {
  testResults: [
    {
      name: '/shop/tests/unit/cart/cart.test.ts',
      status: 'failed',
      assertionResults: [
        { fullName: "the cart (a customer's) adds up", status: 'failed', duration: 1200 },
        { fullName: 'an empty cart', status: 'passed', duration: 3 },
      ],
    },
    { name: '/shop/tests/unit/broken.test.ts', status: 'failed', assertionResults: [] },
  ],
};
const browser = {
  config: { rootDir: '/shop/tests/browser' },
  suites: [
    {
      specs: [],
      suites: [
        {
          specs: [
            {
              title: 'a customer buys a ring',
              file: 'checkout/purchase.spec.ts',
              line: 11,
              tests: [
                {
                  projectName: 'phone',
                  status: 'unexpected',
                  results: [
                    {
                      duration: 4000,
                      attachments: [{ path: '/shop/test-results/a/test-failed-1.png' }, {}],
                    },
                  ],
                },
                {
                  projectName: 'desktop',
                  status: 'expected',
                  results: [{ duration: 5000, attachments: [] }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

test('a run ends with its slowest tests, then the failed ones, each with its files and the command that repeats it', () => {
  const summary = runSummary([
    ...vitestResults(rules, '/shop'),
    ...playwrightResults(browser, '/shop'),
  ]);
  expect(summary.split('\n')).toEqual([
    'The ten slowest tests:',
    '   5.0 s  [desktop] tests/browser/checkout/purchase.spec.ts:11 › a customer buys a ring',
    '   4.0 s  [phone] tests/browser/checkout/purchase.spec.ts:11 › a customer buys a ring',
    "   1.2 s  tests/unit/cart/cart.test.ts › the cart (a customer's) adds up",
    '   0.0 s  tests/unit/cart/cart.test.ts › an empty cart',
    '   0.0 s  tests/unit/broken.test.ts',
    '',
    'Failed tests: 3',
    "  tests/unit/cart/cart.test.ts › the cart (a customer's) adds up",
    String.raw`    npx vitest run tests/unit/cart/cart.test.ts -t 'the cart \(a customer'\''s\) adds up'`,
    '  tests/unit/broken.test.ts',
    '    npx vitest run tests/unit/broken.test.ts',
    '  [phone] tests/browser/checkout/purchase.spec.ts:11 › a customer buys a ring',
    '    test-results/a/test-failed-1.png',
    '    npx playwright test tests/browser/checkout/purchase.spec.ts:11 --project=phone --no-deps --trace on',
  ]);
});

const busyForAMoment = `
  while (process.cpuUsage().user < 150_000);
  console.log('done');
  setInterval(() => {}, 1_000);`;

test.runIf(process.platform === 'linux')(
  'processor time counts what child processes use',
  async () => {
    const before = watchProcessorTime().stop() ?? 0;
    const child = spawn(process.execPath, ['-e', busyForAMoment]);
    try {
      await once(child.stdout, 'data');
      expect((watchProcessorTime().stop() ?? 0) - before).toBeGreaterThanOrEqual(0.1);
    } finally {
      child.kill();
    }
  },
);
