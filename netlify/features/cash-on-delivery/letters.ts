import * as z from 'zod/mini';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { cashEndings } from '#domain/orders/order-cash.ts';
import { orderFromRow, orderName, orderTitle, type Order } from '#domain/orders/order.ts';
import { shownWord } from '#domain/sql-word.ts';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { afterDispute } from '#core/mail/letters/refund-mails.ts';
import {
  addressText,
  cashReady,
  cancelledBy,
  expectedSentence,
  orderAmounts,
  ordersLink,
  orderSteps,
  orderWithAmounts,
  questions,
  trackLink,
} from '#core/mail/mail-order.ts';
import { button, letter, section, siteAddress, type Mail } from '#core/mail/mail.ts';

/** Composes the mail that tells the customer that the order has arrived and that the shop will confirm it. */
function composePlaced(order: Order): Mail {
  const advance = order.amount - (order.cash?.due ?? 0);
  const paid = advance > 0 ? ` Your advance of ${formatRupees(advance)} has arrived.` : '';
  const until = order.cash?.until ?? null;
  const by = until === null ? '' : ` by ${indiaMoment(until)}`;
  return letter({
    subject: `${orderTitle(order)}: we will confirm it – ${shop.name}`,
    title: 'Thank You for Your Order!',
    parts: [
      `We have your order, ${order.customerName}.${paid} We call you or write to you on WhatsApp (${order.customerPhone})${by} to confirm it. If we cannot reach you by then, we cancel it, and ${advance > 0 ? 'the advance goes back to you' : 'you pay nothing'}.${expectedSentence(order)}`,
      trackLink(order),
      section('Your order', orderAmounts(order)),
      section('Delivery to', addressText(order)),
      cashReady(order),
      ordersLink(),
      questions,
    ],
  });
}

/** Composes the mail that tells the customer that the shop has confirmed the order and packs it. */
function composeConfirmed(order: Order): Mail {
  return letter({
    subject: `${orderTitle(order)} confirmed – ${shop.name}`,
    title: 'Your order is confirmed',
    parts: [
      `${orderTitle(order)} is confirmed, and we pack it now. We write to you when it is on its way.${expectedSentence(order)}`,
      orderSteps(order),
      trackLink(order),
      cashReady(order),
      section('Delivery to', addressText(order)),
      questions,
    ],
  });
}

const endedSchema = z.object({
  why: shownWord(cashEndings),
  returned_paise: z.int(),
  kept_paise: z.int(),
  returned_before_paise: z._default(z.int(), 0),
  disputed: z._default(z.boolean(), false),
  by: z._default(z.enum(['customer', 'shop']), 'shop'),
});

/** Composes the mail that tells the customer that the order has ended, and what happens to an advance. */
function composeEnded(order: Order, ended: z.infer<typeof endedSchema>): Mail {
  const title = orderTitle(order);
  const why = {
    not_confirmed: `We could not confirm ${orderName(order)} with you in time, so it has ended and will not be sent. You can order again whenever you like.`,
    cancelled: cancelledBy(order, ended.by),
    refused: `The courier brought ${orderName(order)} back. If you were not at home, write to us: we can send it again.`,
    unknown_word: `${orderName(order)} has ended and will not be sent. If you do not know why, write to us.`,
  }[ended.why];
  const money =
    ended.returned_paise > 0
      ? `Your advance of ${formatRupees(ended.returned_paise)} goes back to ${ended.disputed ? `you. ${afterDispute}` : `the card or account that you paid with. It usually arrives within ${seller.refunds.arriveWithin}.`}`
      : ended.kept_paise > 0
        ? `The advance of ${formatRupees(ended.kept_paise)} is not returned, as our terms say.`
        : ended.returned_before_paise > 0
          ? `Your advance of ${formatRupees(ended.returned_before_paise)} went back to you before.`
          : 'You have paid nothing, and nothing is charged.';
  return letter({
    subject: `${title} has ended – ${shop.name}`,
    title: ended.why === 'cancelled' ? 'Your order is cancelled' : 'Your order has ended',
    parts: [
      why,
      money,
      ended.why === 'not_confirmed' ? button('To the shop', siteAddress('/shop')) : null,
      questions,
    ],
  });
}

export const letters: LetterKinds = {
  cash_order_placed: ({ order }) => composePlaced(orderWithAmounts(order)),
  cash_order_confirmed: ({ order }) => composeConfirmed(orderFromRow(order)),
  cash_order_ended: ({ order, payload }) =>
    composeEnded(orderFromRow(order), endedSchema.parse(payload)),
};
