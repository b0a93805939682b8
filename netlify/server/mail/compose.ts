import { alertPayloadSchema, composeAdminAlert } from './admin-alert.ts';
import { composeContactMessage, contactPayloadSchema } from './contact-message.ts';
import type { Mail } from './mail.ts';
import { mailOrderSchema, numberedOrderSchema, type MailOrder, type NumberedOrder } from './mail-order.ts';
import { composeNewsletterConfirmation, composeNewsletterWelcome, newsletterPayloadSchema } from './newsletter-mails.ts';
import { cancelledPayloadSchema, composeOrderCancelled } from './order-cancelled.ts';
import { composeOrderConfirmation } from './order-confirmation.ts';
import { composeOrderNotice } from './order-notice.ts';
import { composeRefundAlert, composeRefundNotice, refundPayloadSchema } from './refund-mails.ts';
import { composeShippedNotice, parcelOrderSchema, shippedPayloadSchema } from './shipped-notice.ts';

/** What an outbox entry holds for its composer: the order's row, if it has one, and the payload. */
export interface MailContent {
  order: unknown;
  payload: unknown;
}

const orderOf = ({ order }: MailContent): MailOrder => mailOrderSchema.parse(order);
const numberOf = ({ order }: MailContent): NumberedOrder => numberedOrderSchema.parse(order);

/** One composer for each kind in the outbox. They are pure and throw a ZodError for content they cannot read. */
const composers: Readonly<Record<string, (content: MailContent) => Mail>> = {
  order_confirmation: (content) => composeOrderConfirmation(orderOf(content)),
  order_notice: (content) => composeOrderNotice(orderOf(content)),
  refund_notice: (content) =>
    composeRefundNotice(numberOf(content), refundPayloadSchema.parse(content.payload)),
  refund_alert: (content) =>
    composeRefundAlert(
      content.order === null ? null : numberOf(content),
      refundPayloadSchema.parse(content.payload),
    ),
  admin_alert: (content) =>
    composeAdminAlert(content.order === null ? null : numberOf(content), alertPayloadSchema.parse(content.payload)),
  order_cancelled: (content) =>
    composeOrderCancelled(numberOf(content), cancelledPayloadSchema.parse(content.payload)),
  shipped_notice: (content) =>
    composeShippedNotice(parcelOrderSchema.parse(content.order), shippedPayloadSchema.parse(content.payload)),
  contact_message: ({ payload }) => composeContactMessage(contactPayloadSchema.parse(payload)),
  newsletter_confirmation: ({ payload }) => composeNewsletterConfirmation(newsletterPayloadSchema.parse(payload)),
  newsletter_welcome: ({ payload }) => composeNewsletterWelcome(newsletterPayloadSchema.parse(payload)),
};

/** The e-mail of an outbox entry. Throws for a kind that has no composer. */
export function composeMail(kind: string, content: MailContent): Mail {
  const compose = Object.hasOwn(composers, kind) ? composers[kind] : undefined;
  if (!compose) throw new Error('Unknown kind of mail');
  return compose(content);
}
