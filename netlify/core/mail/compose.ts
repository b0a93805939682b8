import { issuedInvoiceSchema } from '#domain/invoice/issued-documents.ts';
import { orderFromRow, type Order } from '#domain/orders/order.ts';
import { accountCodeSchema, composeLoginCode, composeSignUpCode } from './letters/account-codes.ts';
import { composeAccountDeletion, deletionPayloadSchema } from './letters/account-deletion.ts';
import { alertPayloadSchema, composeAdminAlert } from './letters/admin-alert.ts';
import { composeDeliveredNotice } from './letters/delivered-notice.ts';
import { letters } from '#netlify/places/letters.ts';
import type { LetterKinds, MailContent } from './letter-kinds.ts';
import type { Mail } from './mail.ts';
import { orderWithAmounts } from './mail-order.ts';
import { cancelledPayloadSchema, composeOrderCancelled } from './letters/order-cancelled.ts';
import { composeOrderConfirmation, composeOrderNotice } from './letters/paid-order-mails.ts';
import { composeInvoiceMail } from './letters/invoice-mail.ts';
import {
  composeRefundAlert,
  composeRefundNotice,
  refundAlertSchema,
  refundNoticeSchema,
} from './letters/refund-mails.ts';
import { composeShippedNotice, shippedPayloadSchema } from './letters/shipped-notice.ts';

const orderOrNull = ({ order }: MailContent): Order | null =>
  order === null ? null : orderFromRow(order);

const composers: LetterKinds = {
  // What features send.
  ...Object.fromEntries(letters.flatMap((kinds) => Object.entries(kinds))),
  order_confirmation: ({ order }) => composeOrderConfirmation(orderWithAmounts(order)),
  order_notice: ({ order }) => composeOrderNotice(orderWithAmounts(order)),
  refund_notice: ({ order, payload }) =>
    composeRefundNotice(orderFromRow(order), refundNoticeSchema.parse(payload)),
  refund_alert: (content) =>
    composeRefundAlert(orderOrNull(content), refundAlertSchema.parse(content.payload)),
  admin_alert: (content) =>
    composeAdminAlert(orderOrNull(content), alertPayloadSchema.parse(content.payload)),
  order_cancelled: ({ order, payload }) =>
    composeOrderCancelled(orderFromRow(order), cancelledPayloadSchema.parse(payload)),
  shipped_notice: ({ order, payload }) =>
    composeShippedNotice(orderFromRow(order), shippedPayloadSchema.parse(payload)),
  delivered_notice: ({ order }) => composeDeliveredNotice(orderFromRow(order)),
  invoice_mail: ({ order, payload }) =>
    composeInvoiceMail(orderFromRow(order), issuedInvoiceSchema.parse(payload)),
  account_deletion: ({ payload }) => composeAccountDeletion(deletionPayloadSchema.parse(payload)),
  sign_up_code: ({ payload }) => composeSignUpCode(accountCodeSchema.parse(payload)),
  login_code: ({ payload }) => composeLoginCode(accountCodeSchema.parse(payload)),
};

/** Every kind of mail that the shop sends. The two with a code are sent at once, all others through the outbox. */
export const mailKinds: readonly string[] = Object.keys(composers);

/** The e-mail of a kind. Throws for a kind that has no composer. */
export function composeMail(kind: string, content: MailContent): Mail {
  const compose = Object.hasOwn(composers, kind) ? composers[kind] : undefined;
  if (!compose) throw new Error('Unknown kind of mail');
  return compose(content);
}
