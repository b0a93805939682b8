import * as z from 'zod/mini';
import { orderFromRow, type Order } from '#domain/orders/order.ts';
import { shop } from '#settings/shop.ts';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { orderProducts, questions } from '#core/mail/mail-order.ts';
import { button, letter, plainLink, type Mail } from '#core/mail/mail.ts';
import { cartLink, unsubscribeLink } from './links.ts';

const payloadSchema = z.object({ address_hash: z.string().check(z.regex(/^[\da-f]{64}$/u)) });

/** Composes the one mail to a customer whose order ended unpaid some hours ago. It names no prices: the cart shows the current ones. */
function composeCartMail(order: Order, addressHash: string): Mail {
  const leave = unsubscribeLink(addressHash);
  const mail = letter({
    subject: `You left something in your cart – ${shop.name}`,
    title: 'You left something in your cart',
    parts: [
      'You did not finish your order. If you still want it, all of it is in stock at the moment:',
      orderProducts(order),
      button('Open the cart', cartLink(order.items)),
      'We cannot reserve it for you: the first to pay gets it. The cart shows what it costs now.',
      questions,
      'This is the only e-mail about this cart. If you want no e-mails about carts at all, press here:',
      plainLink('No e-mails about carts', leave),
    ],
  });
  // RFC 8058: the mail program's own button posts here.
  return {
    ...mail,
    headers: {
      'List-Unsubscribe': `<${leave}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

// A shop that sends none any more still sends those that were queued before.
export const letters: LetterKinds = {
  cart_mail: ({ order, payload }) =>
    composeCartMail(orderFromRow(order), payloadSchema.parse(payload).address_hash),
};
