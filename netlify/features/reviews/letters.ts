import { orderFromRow, orderName, type Order } from '#domain/orders/order.ts';
import { askAfterDays } from '#settings/reviews.ts';
import { shop } from '#settings/shop.ts';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { questions } from '#core/mail/mail-order.ts';
import { button, letter, siteAddress, type Mail } from '#core/mail/mail.ts';
import { orderPath } from '#core/mail/order-links.ts';

/** Composes the mail that asks the customer once for a review, some days after the delivery. */
function composeReviewRequest(order: Order): Mail {
  const names = order.items.map(({ name }) => name);
  const last = names.pop() ?? '';
  const products = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  const days = askAfterDays === 7 ? 'a week' : `${String(askAfterDays)} days`;
  return letter({
    subject: `How do you like ${orderName(order)}? – ${shop.name}`,
    title: 'How do you like it?',
    parts: [
      `You have had ${products} from ${orderName(order)} for about ${days}. Good or bad: other customers would like to read what you think.`,
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
