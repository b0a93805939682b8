import { orderFromRow, orderName, type Order } from '../../../src/domain/orders/order.ts';
import { askAfterDays } from '../../../src/settings/reviews.ts';
import { shop } from '../../../src/settings/shop.ts';
import type { LetterKinds } from '../../core/mail/letter-kinds.ts';
import { questions } from '../../core/mail/mail-order.ts';
import { button, letter, siteAddress, type Mail } from '../../core/mail/mail.ts';
import { orderPath } from '../../core/mail/order-links.ts';

/** Composes the mail that asks the customer once for a review, some days after the delivery. */
function composeReviewRequest(order: Order): Mail {
  const names = order.items.map(({ name }) => name).join(', ');
  return letter({
    subject: `How do you like ${orderName(order)}? – ${shop.name}`,
    title: 'How do you like it?',
    parts: [
      `Some days ago you got ${orderName(order)}: ${names}. Others who think about buying would like to read what you say about it, good or bad.`,
      button('Write a review', siteAddress(orderPath('review', order))),
      'It takes a minute and needs no password. We read it before it is shown. This is the only time that we ask.',
      questions,
    ],
  });
}

export const letters: LetterKinds =
  askAfterDays === null
    ? {}
    : { review_request: ({ order }) => composeReviewRequest(orderFromRow(order)) };
