import * as z from 'zod/mini';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { shop } from '#settings/shop.ts';
import { button, letter, siteAddress, type Mail } from '#core/mail/mail.ts';

const backInStockSchema = z.object({ product_id: z.guid(), name: z.string() });

const stockAlertSchema = z.object({ token: z.uuid(), name: z.string() });

/** Composes the mail to an address that somebody entered beside a sold-out product, with the link to a page whose button confirms it. */
function composeStockAlertConfirmation({ token, name }: z.infer<typeof stockAlertSchema>): Mail {
  const asked = `Someone, hopefully you, asked us to notify this address when ${name} is back in stock. Please confirm:`;
  const otherwise = 'If it was not you, ignore this e-mail. We delete the request after a week.';
  return letter({
    subject: `Please confirm: ${name} – ${shop.name}`,
    title: 'One more step',
    parts: [
      asked,
      button('Yes, notify me', siteAddress(`/stock-alert/confirm?token=${token}`)),
      otherwise,
    ],
  });
}

/** Composes the mail that tells a subscriber that a product is back in stock. It is sent once, and the address is deleted with it. */
function composeBackInStock({ product_id: id, name }: z.infer<typeof backInStockSchema>): Mail {
  const back = `${name} is back in our shop. You asked us to notify you.`;
  const once =
    'We cannot reserve it for you: the first to pay gets it. This is the only mail about it, and we have deleted your address from the list.';
  return letter({
    subject: `${name} is back – ${shop.name}`,
    title: 'Back in stock',
    parts: [back, button(`See ${name}`, siteAddress(`/product/${id}`)), once],
  });
}

export const letters: LetterKinds = {
  back_in_stock: ({ payload }) => composeBackInStock(backInStockSchema.parse(payload)),
  stock_alert_confirmation: ({ payload }) =>
    composeStockAlertConfirmation(stockAlertSchema.parse(payload)),
};
