import * as z from 'zod/mini';
import { shop } from '../../../src/shop.config.ts';
import { html } from '../platform/html.ts';
import { letter, paragraph, siteLink, type Mail } from './mail.ts';

export const backInStockSchema = z.object({ product_id: z.guid(), name: z.string() });

/** To whoever waited for a sold-out piece: it is there again. The only mail of this kind, and the address is deleted with it. */
export function composeBackInStock({
  product_id: id,
  name,
}: z.infer<typeof backInStockSchema>): Mail {
  const back = `${name} is back in our shop. You asked us to tell you.`;
  const link = siteLink(`See ${name}`, `/product/${id}`);
  const once =
    'We cannot keep it for you: whoever pays first gets it. This is the only mail that you get about it, and we have deleted your address from the list.';
  return letter({
    subject: `${name} is back – ${shop.name}`,
    title: 'Back in stock',
    text: [back, link.text, once].join('\n\n'),
    body: html`${paragraph(back)}${link.markup}${paragraph(once)}`,
  });
}
