import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { cartMailAfterHours } from '#settings/cart-mail.ts';
import { askAfterDays } from '#settings/reviews.ts';

/** How long one kind of row is stored. */
interface Term {
  /** What the term ends: `table.column` empties a column, `table` deletes rows. */
  ends: readonly string[];
  days: number;
}

/** The columns of an order that name its customer, or who gets it. */
const personOfOrder = [
  'user_id',
  'customer_name',
  'customer_email',
  'customer_phone',
  'customer_address',
  'customer_city',
  'customer_postal_code',
  'customer_gstin',
  'notes',
  'gift_note',
  'recipient_name',
  'recipient_phone',
  'network',
  'admin_note',
  'cancel_reason',
  'payment_reference',
  'pay_token',
  'tracking_number',
  'tracking_url',
].map((column) => `orders.${column}`);

/**
 * The terms by subject: the one place with the time that the shop stores something. `public.forget` ends the rows by these
 * subjects once a day, and the privacy page shows the days.
 */
export const retention = {
  /** The person in an order that nobody paid; what was ordered stays. */
  unpaid_orders: { ends: [...personOfOrder, 'order_changes'], days: 90 },
  /** Eight years from the end of the financial year (Companies Act, section 128), and up to a year until that end. */
  paid_orders: {
    ends: [
      ...personOfOrder,
      'order_changes',
      'claims.message',
      'claims.reason',
      'invoices.document',
      'credit_notes.document',
      'refunds.reason',
    ],
    days: 9 * 365 + 3,
  },
  /** What only the delivery needs, counted from it. A report of damage is answered within days. */
  delivered_orders: {
    ends: [
      'orders.customer_phone',
      'orders.notes',
      'orders.gift_note',
      'orders.recipient_name',
      'orders.recipient_phone',
    ],
    days: 180,
  },
  /** Phone, notes and claims in the paid orders of a person who requested erasure: once the order has ended. */
  erased_orders: { ends: ['orders.customer_phone', 'orders.notes'], days: 1 },
  /** The words of a damage report and of our answer, counted from the answer. */
  claim_words: { ends: ['claims.message', 'claims.reason'], days: 365 },
  /** Reviews that the shop does not show, from when they were sent. A published one stays with its product. */
  unpublished_reviews: { ends: ['reviews'], days: 365 },
  /** That an account and a phone did not pay a parcel at the door; without cash on delivery the rows end the next day. */
  cash_refusals: { ends: ['cash_refusals'], days: cashOnDelivery?.refusedForDays ?? 1 },
  /** Photos and videos of damage, from the answer; those of a claim that was never sent end after two days. */
  claim_files: { ends: ['claim_files'], days: 180 },
  /** The scrambled form of the network that an order came from: limits look two hours back. */
  order_networks: { ends: ['orders.network'], days: 1 },
  /** Accounts whose address was never confirmed: anybody can type anybody's. */
  unconfirmed_accounts: { ends: ['auth.users'], days: 30 },
  /** Auth's own log of logins, with addresses. */
  auth_log: { ends: ['auth.audit_log_entries'], days: 30 },
  /** The order form that the checkout sends before payment (docs/spec.md, section 5). */
  order_forms: { ends: ['form_entries'], days: 90 },
  contact_messages: { ends: ['contact_messages'], days: 730 },
  /** Addresses that did not confirm; those that did or left stay as proof. */
  newsletter_requests: { ends: ['subscribers'], days: 30 },
  /** Addresses that did not confirm. They count towards the limit of a product, so they end soon. */
  stock_alert_requests: { ends: ['stock_alerts'], days: 7 },
  stock_alerts: { ends: ['stock_alerts'], days: 365 },
  /** Address and text of a mail, from when it was sent. */
  sent_mails: { ends: ['outbox.recipient', 'outbox.payload', 'outbox.last_error'], days: 30 },
  /** That a mail was sent, and when. */
  mail_records: { ends: ['outbox'], days: 400 },
  /** Mails that could not be sent: twenty attempts take two weeks, and nobody wants older news. */
  unsent_mails: { ends: ['outbox'], days: 60 },
  notifications: { ends: ['outbox'], days: 7 },
  /** Devices of the admin on which nobody logged in any more. */
  devices: { ends: ['push_subscriptions'], days: 365 },
  /** The days count from the end of a session. */
  admin_sessions: { ends: ['admin_sessions'], days: 30 },
  /** Failed payments, which are counted for an hour. */
  failed_payments: { ends: ['webhook_events'], days: 30 },
  /** Razorpay repeats a message for a day. */
  payment_events: { ends: ['webhook_events'], days: 90 },
  comparisons: { ends: ['reconciliations'], days: 365 },
  catalogue_changes: { ends: ['product_changes'], days: 365 },
} as const satisfies Readonly<Record<string, Term>>;

/** The days of each subject, as `public.forget` takes them. Files need storage, so the job deletes them itself. */
export const retentionDays: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(retention).flatMap(([subject, { days }]) =>
    subject === 'claim_files' ? [] : [[subject, days]],
  ),
);

/**
 * How long the uses of SQL `cost_limits` count for an account, phone or network, in days: `fee_lost`, `cash_order`, and all others. A job
 * deletes them after that, the network of an order within a further day.
 */
export const countedForDays = { refunds: 30, cashOrders: 7, others: 1 } as const;

/** A term in words: '90 days', '24 months', '9 years'. */
function inWords({ days }: Pick<Term, 'days'>): string {
  const years = Math.floor(days / 365);
  if (days < 365) return `${String(days)} days`;
  return years < 3 ? `${String(years * 12)} months` : `${String(years)} years`;
}

/** A purpose for which the shop stores personal data, as the privacy page shows it. */
interface KeptData {
  what: string;
  data: string;
  why: string;
  time: string;
}

const {
  paid_orders: paid,
  unpaid_orders: unpaid,
  delivered_orders: delivered,
  sent_mails: mails,
} = retention;

export const dataWeKeep: readonly KeptData[] = [
  {
    what: 'Orders',
    data: 'Name, e-mail, phone, delivery address, notes, gift note, name and phone of who gets a gift, products, amounts, payment number',
    why: 'to take, send and prove your order; invoices and taxes',
    time: `up to ${inWords(paid)}, as tax law asks; phone, notes, gift note and who gets a gift ${inWords(delivered)} after the delivery; when you did not pay, ${inWords(unpaid)}`,
  },
  {
    what: 'Damage',
    data: 'What you write about it, photos and video',
    why: 'to replace or refund what arrived damaged',
    time: `photos and video ${inWords(retention.claim_files)} after our answer, your words ${inWords(retention.claim_words)}`,
  },
  ...(askAfterDays === null
    ? []
    : [
        {
          what: 'Reviews',
          data: 'Stars, words and image, and the name and town that you give with them',
          why: 'to show them under the product, once we have read them',
          time: `as long as the product is in the shop, or until you ask us to erase them; ${inWords(retention.unpublished_reviews)} when we do not show them`,
        },
      ]),
  ...(cashOnDelivery === null
    ? []
    : [
        {
          what: 'Parcels that nobody paid',
          data: 'Your account and a scrambled form of your phone number, when you did not pay a parcel with cash on delivery at the door',
          why: 'to send no further parcel for nothing: there is no cash on delivery until then',
          time: inWords(retention.cash_refusals),
        },
      ]),
  {
    what: 'Order form',
    data: 'A copy of your delivery details and your cart, which the checkout sends before you pay',
    why: 'to help you when a payment does not go through',
    time: `${inWords(retention.order_forms)}, at Netlify too`,
  },
  {
    what: 'Account',
    data: 'E-mail, password (as a hash), what you enter in your profile, and the products of your wishlist',
    why: 'to sign you in, save you typing, and show your wishlist on each of your devices',
    time: `until you delete the account, ${inWords(retention.unconfirmed_accounts)} when you do not confirm it. Of your orders only the paid ones stay then, as above, and of these only what tax law asks for: name, address, e-mail, items and amounts`,
  },
  {
    what: 'Logins',
    data: 'E-mail, IP address and time of each login',
    why: 'to see who tried to get into an account',
    time: inWords(retention.auth_log),
  },
  {
    what: 'E-mails to you',
    data: 'Your address and the text of each e-mail that we send',
    why: 'to send it, and to answer when you ask about it',
    time: `${inWords(mails)} after it was sent, ${inWords(retention.unsent_mails)} when it could not be sent`,
  },
  ...(cartMailAfterHours === null
    ? []
    : [
        {
          what: 'E-mail about a cart',
          data: 'The products of an order that you did not pay, and your confirmed e-mail',
          why: 'to remind you of them once, and at most once in 30 days',
          time: 'as an order that you did not pay; when you want no such e-mail, a scrambled form of your e-mail for good',
        },
      ]),
  {
    what: 'Contact form',
    data: 'Name, e-mail, subject, message',
    why: 'to answer you',
    time: inWords(retention.contact_messages),
  },
  {
    what: 'Newsletter',
    data: 'E-mail, when and to what you agreed, when you confirmed it, when you left',
    why: 'to send the news you asked for, and to prove that you asked for it or left',
    time: `${inWords(retention.newsletter_requests)} when you do not confirm; otherwise until you ask us to erase it. When you leave, we write no more`,
  },
  {
    what: 'Back in stock',
    data: 'E-mail, and the product you wait for',
    why: 'to notify you once when it is back in stock',
    time: `${inWords(retention.stock_alert_requests)} when you do not confirm; otherwise until that e-mail is sent, ${inWords(retention.stock_alerts)} at most`,
  },
  {
    what: 'Protection from abuse',
    data: 'A scrambled form of your IP address and your phone, and your account, with a count',
    why: 'to stop robots and guessing of passwords, and to count the refunds that you cause',
    time: [
      `${inWords({ days: countedForDays.others + 1 })} at most`,
      ...(cashOnDelivery === null
        ? []
        : [`of orders with cash on delivery ${inWords({ days: countedForDays.cashOrders })}`]),
      `of such refunds ${inWords({ days: countedForDays.refunds })}`,
    ].join('; '),
  },
];
