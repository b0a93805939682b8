import { test as base, expect } from '@playwright/test';
import {
  deleteProduct,
  insertProduct,
  type ProductRow,
} from '#tests/browser/catalogue/product-rows.ts';
import { recordToasts } from './toasts.ts';

interface Fixtures {
  /** Puts a product of the test's own into the catalogue, newer than the build, and takes it out after the test. */
  newProduct: (changes?: Partial<ProductRow>) => Promise<ProductRow>;
  /** Says that a problem matching the pattern is meant to happen in this test. */
  expectProblem: (pattern: RegExp) => void;
}

/** Written to the page's console at the end of a test: the listeners below must notice it. */
const controlMessage = 'control: this error must be noticed';

/** A test that fails on any console error, uncaught exception, refused content or failed request it did not expect. */
export const test = base.extend<Fixtures>({
  context: async ({ context }, use) => {
    await recordToasts(context);
    await use(context);
  },
  newProduct: async ({ browserName: _any }, use) => {
    const products: ProductRow[] = [];
    await use(async (changes) => {
      const product = await insertProduct(changes);
      products.push(product);
      return product;
    });
    for (const { id } of products) await deleteProduct(id);
  },
  expectProblem: [
    // The products go after the last look at the page's problems: an open page may ask for its own address at any moment.
    async ({ page, newProduct: _products }, use) => {
      const expected: RegExp[] = [];
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error')
          problems.push(`console: ${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
      page.on('response', (response) => {
        if (response.status() >= 400)
          problems.push(`${String(response.status())}: ${response.url()}`);
      });
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? '';
        // A request given up because the customer moved on is no failure.
        if (!reason.includes('ERR_ABORTED')) problems.push(`failed: ${request.url()} ${reason}`);
      });
      await use((pattern) => expected.push(pattern));
      const isControl = (problem: string): boolean => problem.includes(controlMessage);
      if (!page.isClosed() && page.url() !== 'about:blank') {
        // Messages arrive in order: after this one, no earlier error of the page is still on its way. A navigation that is
        // under way may swallow it.
        await expect(async () => {
          await page.evaluate((text) => {
            console.error(text);
          }, controlMessage);
          expect(problems.some(isControl), 'a console error is noticed').toBe(true);
        }).toPass({ timeout: 10_000 });
      }
      const unexpected = problems.filter(
        (problem) => !isControl(problem) && !expected.some((pattern) => pattern.test(problem)),
      );
      expect(unexpected, 'no console error, exception or failed request').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
