import { escapeHtml, page, table } from '#local/emulators/http/page.ts';
import type { Faults } from './faults.ts';
import type { Records } from './ledger.ts';

/** The sandbox as a page: faults on top, then orders, payments, refunds and webhook deliveries, newest first. */
export function showSandbox(records: Records, faults: Faults): Response {
  return page(
    'Razorpay sandbox',
    `<p>No money moves here. <a href="/local/razorpay/state.json">The same as JSON</a> · <a href="/local/mailbox">Mailbox</a></p>
${faultForm(faults)}
<h2>Orders</h2>${table(
      ['Order', 'Receipt', 'Amount', 'Status', 'Tries', 'Made', 'From another device'],
      records.orders.map((order) => [
        code(order.id),
        escapeHtml(order.receipt),
        amount(order.amount, order.currency),
        escapeHtml(order.status),
        String(order.attempts),
        time(order.created_at),
        order.status === 'paid'
          ? ''
          : `${button(`orders/${order.id}/pay`, 'Pay')} ${button(`orders/${order.id}/fail`, 'Fail')}`,
      ]),
    )}
<h2>Payments</h2>${table(
      ['Payment', 'Order', 'Amount', 'Refunded', 'Status', 'Method', 'Made', ''],
      records.payments.map((payment) => [
        code(payment.id),
        code(payment.order_id),
        amount(payment.amount, payment.currency),
        amount(payment.amount_refunded, payment.currency),
        escapeHtml(payment.status),
        escapeHtml(payment.method),
        time(payment.created_at),
        payment.status === 'authorized'
          ? `${button(`payments/${payment.id}/capture`, 'Capture')} ${button(`payments/${payment.id}/expire`, 'Let it expire')}`
          : payment.status === 'failed'
            ? button(`payments/${payment.id}/authorize`, 'Authorise late')
            : '',
      ]),
    )}
<h2>Refunds</h2>${table(
      ['Refund', 'Payment', 'Amount', 'Status', 'Made', ''],
      records.refunds.map((refund) => [
        code(refund.id),
        code(refund.payment_id),
        amount(refund.amount, refund.currency),
        escapeHtml(refund.status),
        time(refund.created_at),
        refund.status === 'pending'
          ? `${button(`refunds/${refund.id}/process`, 'Process')} ${button(`refunds/${refund.id}/fail`, 'Fail')}`
          : '',
      ]),
    )}
<h2>Webhook deliveries</h2>${table(
      ['Event', 'Id', 'State', 'Tries', 'Last answer', 'Made'],
      records.deliveries.map((delivery) => [
        escapeHtml(delivery.event),
        code(delivery.event_id),
        escapeHtml(delivery.state),
        String(delivery.attempts),
        delivery.last_status === null
          ? ''
          : delivery.last_status === 0
            ? 'none'
            : String(delivery.last_status),
        time(delivery.created_at),
      ]),
    )}`,
  );
}

function faultForm({ api, webhook, refund }: Faults): string {
  const number = (label: string, name: string, value: number | undefined): string =>
    `<label>${label} <input type="number" min="0" name="${name}" value="${String(value ?? '')}"></label>`;
  const isChecked = (on: boolean | undefined): string => (on === true ? ' checked' : '');
  const modes = (['normal', 'duplicate', 'reordered', 'lost'] as const)
    .map((mode) => `<option${mode === webhook.mode ? ' selected' : ''}>${mode}</option>`)
    .join('');
  return `<form method="post" action="/local/razorpay/faults"><fieldset><legend>Faults</legend>
<p>API: ${number('delay (ms)', 'delayMs', api.delayMs)} ${number('refuse with status', 'status', api.status)}
<label><input type="checkbox" name="dropReply"${isChecked(api.dropReply)}> drop the reply</label>
${number('for this many calls', 'times', api.times)}</p>
<p>Webhooks: <label>delivery <select name="mode">${modes}</select></label> ${number('delay (ms)', 'webhookDelayMs', webhook.delayMs)}</p>
<p>Refunds: <label><input type="checkbox" name="pending"${isChecked(refund.pending)}> stay pending</label></p>
<button>Set faults</button></fieldset></form>
<form method="post" action="/local/razorpay/faults"><button>Reset faults</button></form>`;
}

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
const button = (action: string, label: string): string =>
  `<form method="post" action="/local/razorpay/${escapeHtml(action)}"><button>${label}</button></form>`;
const amount = (subunits: number, currency: string): string =>
  escapeHtml(
    new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(subunits / 100),
  );
const time = (seconds: number): string => `<time>${new Date(seconds * 1000).toISOString()}</time>`;
