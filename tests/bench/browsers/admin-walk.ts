/* The admin's day: a new product with its image, and an order packed, shipped and refunded. */
import type { Bought, Step } from './shopper-walk.ts';

/**
 * The steps of one day.
 * @param image path of a square image
 * @param product a name that the catalogue does not have
 */
export function adminSteps(
  { password, image, product }: { password: string; image: string; product: string },
  bought: Bought,
): readonly Step[] {
  return [
    [
      'admin logs in',
      async (page) => {
        await page.open('/admin');
        await page.fill('Password', password);
        await page.press('button', 'Login');
        await page.find('link', /^Products/u);
      },
    ],
    [
      'new product with an image',
      async (page) => {
        await page.open('/admin#');
        await page.press('button', 'Add Product');
        await page.fill('Name', product);
        await page.fill('Price (₹)', '899');
        await page.choose('Category', 'Bracelets');
        await page.fill('Stock', '3');
        await page.upload('dialog:modal input[type="file"]', image);
        await page.find('field', 'Description of picture 1');
        await page.press('button', 'Save');
        await page.gone('dialog:modal');
        await page.fill(/^Search/u, product);
        await page.see(product);
      },
    ],
    [
      'the order',
      async (page) => {
        await page.open(`/admin#orders/${bought.order}`);
        await page.find('heading', 'Deliver to');
        await page.see('14 Temple Road');
      },
    ],
    [
      'order packed',
      async (page) => {
        await page.press('button', 'Mark packed');
        await page.find('button', 'Undo ‘Packed’');
      },
    ],
    [
      'order shipped',
      async (page) => {
        await page.press('button', 'Mark shipped');
        await page.press('button', 'DTDC');
        await page.fill(/^Tracking number/u, 'D77001234');
        await page.press('button', 'Mark shipped');
        await page.gone('dialog:modal');
        await page.find('button', /Undo/u);
      },
    ],
    [
      'order refunded',
      async (page) => {
        await page.press('button', 'Refund');
        await page.press('button', 'The whole order');
        await page.fill('Reason', 'It came bent');
        await page.press('button', /^Refund ₹/u);
        await page.press('button', /^Yes, refund/u);
        await page.gone('dialog:modal');
        await page.see('is on its way back');
      },
    ],
  ];
}
