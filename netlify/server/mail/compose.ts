import { issuedInvoiceSchema } from '../../../src/domain/invoice/issued-documents.ts';
import { orderFromRow, type Order } from '../../../src/domain/orders/order.ts';
import { accountCodeSchema, composeLoginCode, composeSignUpCode } from './letters/account-codes.ts';
import { composeAccountDeletion, deletionPayloadSchema } from './letters/account-deletion.ts';
import { alertPayloadSchema, composeAdminAlert } from './letters/admin-alert.ts';
import {
  claimAnsweredSchema,
  composeClaimAnswered,
  composeClaimReceived,
} from './letters/claim-mails.ts';
import { composeContactMessage, contactPayloadSchema } from './letters/contact-message.ts';
import { composeDeliveredNotice } from './letters/delivered-notice.ts';
import type { Mail } from './mail.ts';
import { orderWithAmounts } from './mail-order.ts';
import {
  composeNewsletterConfirmation,
  composeNewsletterWelcome,
  newsletterPayloadSchema,
} from './letters/newsletter-mails.ts';
import { cancelledPayloadSchema, composeOrderCancelled } from './letters/order-cancelled.ts';
import { composeOrderConfirmation, composeOrderNotice } from './letters/paid-order-mails.ts';
import { composeInvoiceMail } from './letters/invoice-mail.ts';
import {
  composeRefundAlert,
  composeRefundNotice,
  refundPayloadSchema,
} from './letters/refund-mails.ts';
import {
  backInStockSchema,
  composeBackInStock,
  composeStockAlertConfirmation,
  stockAlertSchema,
} from './letters/back-in-stock.ts';
import { composeShippedNotice, shippedPayloadSchema } from './letters/shipped-notice.ts';

/** The input of a composer: the order's row, if any, and the payload. */
export interface MailContent {
  order: unknown;
  payload: unknown;
}

const orderOrNull = ({ order }: MailContent): Order | null =>
  order === null ? null : orderFromRow(order);

/** One composer for each kind of mail. They are pure and throw for content they cannot read. */
const composers: Readonly<Record<string, (content: MailContent) => Mail>> = {
  order_confirmation: ({ order }) => composeOrderConfirmation(orderWithAmounts(order)),
  order_notice: ({ order }) => composeOrderNotice(orderWithAmounts(order)),
  refund_notice: ({ order, payload }) =>
    composeRefundNotice(orderFromRow(order), refundPayloadSchema.parse(payload)),
  refund_alert: (content) =>
    composeRefundAlert(orderOrNull(content), refundPayloadSchema.parse(content.payload)),
  admin_alert: (content) =>
    composeAdminAlert(orderOrNull(content), alertPayloadSchema.parse(content.payload)),
  order_cancelled: ({ order, payload }) =>
    composeOrderCancelled(orderFromRow(order), cancelledPayloadSchema.parse(payload)),
  shipped_notice: ({ order, payload }) =>
    composeShippedNotice(orderFromRow(order), shippedPayloadSchema.parse(payload)),
  delivered_notice: ({ order }) => composeDeliveredNotice(orderFromRow(order)),
  claim_received: ({ order }) => composeClaimReceived(orderFromRow(order)),
  claim_answered: ({ order, payload }) =>
    composeClaimAnswered(orderFromRow(order), claimAnsweredSchema.parse(payload)),
  invoice_mail: ({ order, payload }) =>
    composeInvoiceMail(orderFromRow(order), issuedInvoiceSchema.parse(payload)),
  contact_message: ({ payload }) => composeContactMessage(contactPayloadSchema.parse(payload)),
  newsletter_confirmation: ({ payload }) =>
    composeNewsletterConfirmation(newsletterPayloadSchema.parse(payload)),
  back_in_stock: ({ payload }) => composeBackInStock(backInStockSchema.parse(payload)),
  stock_alert_confirmation: ({ payload }) =>
    composeStockAlertConfirmation(stockAlertSchema.parse(payload)),
  account_deletion: ({ payload }) => composeAccountDeletion(deletionPayloadSchema.parse(payload)),
  newsletter_welcome: ({ payload }) =>
    composeNewsletterWelcome(newsletterPayloadSchema.parse(payload)),
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
