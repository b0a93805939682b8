import * as z from 'zod/mini';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { disputeMeaning, disputeTask, reasonWords } from '#domain/orders/dispute.ts';

/** What the alerts to the admin about a dispute say of it, by the names of SQL `record_dispute`. */
export const disputePayload = {
  event: z.optional(z.string()),
  phase: z.optional(z.nullable(z.string())),
  reason: z.optional(z.nullable(z.string())),
  respond_by: z.optional(z.nullable(z.string())),
  /** Paise that the dispute took. */
  lost_paise: z.optional(z.nullable(z.int())),
};
const payloadSchema = z.object(disputePayload);
type DisputePayload = z.infer<typeof payloadSchema>;

interface Alert {
  subject: string;
  title: string;
  text: string;
}

/** `before` and '3 Dec, 5:00 pm (India)'; '' without a term. */
const term = (before: string, respondBy: string | null | undefined): string =>
  respondBy == null ? '' : `${before} ${indiaMoment(respondBy)} (India)`;
/** ' It is so.', or '' for nothing. */
const sentence = (text: string): string => (text === '' ? '' : ` ${text}.`);

/** Events that end a dispute or ask nothing, and what they mean. Every other event asks for an answer. */
const settled: Readonly<Record<string, { subject: string; text: string }>> = {
  under_review: {
    subject: 'A dispute: the bank looks at your answer',
    text: 'You need not do anything until it has decided. Meanwhile the shop sends back nothing of this payment.',
  },
  won: { subject: 'A dispute is won', text: 'The money stays with you.' },
  lost: {
    subject: 'A dispute is lost',
    text: 'The bank gave the money to the customer, and Razorpay took it from your balance. The shop never sends it again.',
  },
  closed: { subject: 'A dispute is closed', text: 'It is over.' },
};

/** What became of a dispute, and what the admin has to do until when. */
export function disputeAlert({
  event = '',
  phase,
  reason,
  respond_by: respondBy,
  lost_paise: lost,
}: DisputePayload): Alert {
  const title = disputeMeaning(phase);
  const why = sentence(
    reason == null ? '' : `The reason that the bank gives: ${reasonWords(reason)}`,
  );
  const over = Object.hasOwn(settled, event) ? settled[event] : undefined;
  if (over) {
    const taken = sentence(lost == null ? '' : `Taken from you: ${formatRupees(lost)}`);
    return { subject: over.subject, title, text: `${over.text}${taken}${why}` };
  }
  const asks = event === 'action_required' ? ': the bank asks for more' : '';
  return {
    subject: `A dispute${asks}${term(', answer by', respondBy)}`,
    title,
    text: `${title}.${why}${sentence(term('Answer by', respondBy))} ${disputeTask(phase)}`,
  };
}

/** A day before a dispute is lost without an answer. */
export const disputeDueAlert = ({ phase, respond_by: respondBy }: DisputePayload): Alert => ({
  subject: `Answer a dispute within a day${term(': by', respondBy)}`,
  title: 'A dispute has to be answered within a day',
  text: `${disputeMeaning(phase)}, and nobody has answered yet.${sentence(term('The last moment is', respondBy))} ${disputeTask(phase)}`,
});
