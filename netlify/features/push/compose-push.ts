import * as z from 'zod/mini';
import type { PushMessage } from '#features/push/domain/push.ts';
import { orderHash } from '#domain/admin/orders/orders-address.ts';
import { formatRupees } from '#domain/money.ts';

/** The outbox payload of a notification. */
export const pushPayloadSchema = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('order') }),
  z.object({ topic: z.literal('message') }),
  z.object({ topic: z.literal('review') }),
  z.object({ topic: z.literal('mail') }),
  z.object({ topic: z.literal('payment'), amount_paise: z.optional(z.nullable(z.int())) }),
  z.object({
    topic: z.literal('stock'),
    pieces: z.array(z.object({ name: z.string(), left: z.int() })),
  }),
]);

/** An order's number and total. Push services receive nothing else. */
export const pushOrderSchema = z.nullable(
  z.object({ id: z.int(), total_paise: z.int(), is_test: z._default(z.boolean(), false) }),
);

/** The maximum number of named products; a lock screen shows no more. */
const named = 5;

/** Names the products, up to the maximum. */
function listed(pieces: readonly string[]): string {
  const rest = pieces.length - named;
  return `${pieces.slice(0, named).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}

/** The notification's text. It has little personal data, because others can read a lock screen. */
export function composePush(
  payload: z.infer<typeof pushPayloadSchema>,
  order: z.infer<typeof pushOrderSchema>,
): Omit<PushMessage, 'tag'> {
  const page = order === null ? '/admin' : `/admin${orderHash(order.id)}`;
  switch (payload.topic) {
    case 'order':
      return {
        title:
          order === null
            ? 'New order'
            : `New ${order.is_test ? 'test ' : ''}order #${String(order.id)}`,
        body:
          order === null
            ? 'It is paid.'
            : `${formatRupees(order.total_paise)}, paid. Open it to pack.`,
        url: page,
      };
    case 'message':
      return {
        title: 'New message',
        body: 'Someone wrote through the contact form.',
        url: '/admin#inbox',
      };
    case 'review':
      return {
        title: 'New review',
        body: 'Read it, then publish or hide it.',
        url: '/admin#inbox/reviews',
      };
    case 'mail':
      return {
        title: 'The shop cannot send mail',
        body: 'The mail server refuses it. Nobody gets a code to sign up. Tell the person who maintains your site.',
        url: '/admin',
      };
    case 'payment': {
      const { amount_paise: amount } = payload;
      const about =
        order === null ? 'It matches no order.' : `It does not fit order #${String(order.id)}.`;
      return {
        title: 'A payment needs your attention',
        body: amount == null ? about : `${formatRupees(amount)}. ${about}`,
        url: page,
      };
    }
    case 'stock': {
      const out = payload.pieces.filter(({ left }) => left === 0).map(({ name }) => name);
      const low = payload.pieces
        .filter(({ left }) => left > 0)
        .map(({ name, left }) => `${name} (${String(left)} left)`);
      return {
        title: out.length > 0 ? 'Sold out' : 'Low in stock',
        body: [
          out.length > 0 ? listed(out) : null,
          low.length > 0 ? `${out.length > 0 ? 'Low: ' : ''}${listed(low)}` : null,
        ]
          .filter((line) => line !== null)
          .join('\n'),
        url: '/admin',
      };
    }
  }
}
