import * as z from 'zod/mini';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';
import { formatRupees } from '#domain/money.ts';
import { orderTitle, orderFromRow, type Order } from '#domain/orders/order.ts';
import { shop } from '#settings/shop.ts';
import { claimLink } from './claim-link.ts';
import { letter, type Mail } from '#core/mail/mail.ts';
import { questions } from '#core/mail/mail-order.ts';

/** Composes the mail that confirms a customer's report of damage. */
function composeClaimReceived(order: Order): Mail {
  const sorry = `We are sorry that ${orderTitle(order)} did not arrive as it should. We have your report, are looking at it now and will write to you.`;
  return letter({
    subject: `We have your report about ${orderTitle(order)} – ${shop.name}`,
    title: 'We have your report',
    parts: [sorry, claimLink(order, 'Your report'), questions],
  });
}

const claimAnsweredSchema = z.object({
  answer: z.enum(['refund', 'replacement', 'declined']),
  reason: z.string(),
  amount_paise: z.nullable(z.int()),
  replacement_id: z.nullable(z.int()),
});

/** Composes the mail with the answer to a customer's report. Amounts in paise. */
function composeClaimAnswered(
  order: Order,
  {
    answer,
    reason,
    amount_paise: amount,
    replacement_id: replacement,
  }: z.infer<typeof claimAnsweredSchema>,
): Mail {
  const sentence = {
    refund: `We refund ${formatRupees(amount ?? 0)} for what was damaged in ${orderTitle(order)}. Another e-mail says how the money comes back to you.`,
    replacement: `We send you a replacement for what was damaged in ${orderTitle(order)}, free of charge. It is order #${String(replacement ?? 0)}; you get an e-mail when it is on its way.`,
    declined: `We have looked at your report about ${orderTitle(order)}, and we cannot refund or replace it.`,
  }[answer];
  return letter({
    subject: `Your report about ${orderTitle(order)} – ${shop.name}`,
    title: answer === 'declined' ? 'About your report' : 'Our answer to your report',
    parts: [sentence, reason === '' ? null : reason, claimLink(order, 'Your report'), questions],
  });
}

export const letters: LetterKinds = {
  claim_received: ({ order }) => composeClaimReceived(orderFromRow(order)),
  claim_answered: ({ order, payload }) =>
    composeClaimAnswered(orderFromRow(order), claimAnsweredSchema.parse(payload)),
};
