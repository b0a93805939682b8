import * as z from 'zod/mini';
import { changes, reads } from './endpoint.ts';
import { doneSchema } from './plain-schemas.ts';

export const inboxKinds = ['messages', 'forms', 'subscribers', 'reviews'] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** A message of the contact form. Unread until `readAt`; `answeredAt` is the admin's mark. */
const inboxMessageSchema = z.object({
  id: z.int(),
  createdAt: z.string(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  readAt: z.nullable(z.string()),
  answeredAt: z.nullable(z.string()),
});

/** A submission as the form-collection endpoint received it. */
export const formEntrySchema = z.object({
  id: z.int(),
  createdAt: z.string(),
  form: z.string(),
  fields: z.record(z.string(), z.unknown()),
  readAt: z.nullable(z.string()),
  answeredAt: z.nullable(z.string()),
});
export type FormEntry = z.infer<typeof formEntrySchema>;

export const subscriberSchema = z.object({
  id: z.int(),
  email: z.string(),
  consentAt: z.string(),
  consentText: z.string(),
  /** When the subscriber confirmed through the mailed link. Without it, nothing may be sent. */
  confirmedAt: z.nullable(z.string()),
  unsubscribedAt: z.nullable(z.string()),
});
export type Subscriber = z.infer<typeof subscriberSchema>;

/** A customer's review of a product. The shop's answer is '' without one. */
export const inboxReviewSchema = z.object({
  id: z.int(),
  createdAt: z.string(),
  productId: z.string(),
  product: z.string(),
  stars: z.int(),
  words: z.string(),
  name: z.string(),
  town: z.string(),
  image: z.nullable(z.string()),
  state: z.enum(['new', 'published', 'hidden']),
  answer: z.string(),
});
export type InboxReview = z.infer<typeof inboxReviewSchema>;

/** One page of a kind, newest first; unread counts are of the whole inbox. */
const page = <T extends z.ZodMiniType>(item: T) =>
  z.object({
    items: z.array(item),
    next: z.nullable(z.string()),
    unread: z.object({ messages: z.int(), forms: z.int() }),
    /** Confirmed subscribers. */
    subscribers: z.int(),
    /** Reviews that wait for the admin. */
    reviews: z.int(),
  });
export const messagePageSchema = page(inboxMessageSchema);
export const formPageSchema = page(formEntrySchema);
export const subscriberPageSchema = page(subscriberSchema);
export const reviewPageSchema = page(inboxReviewSchema);

/** Body of POST /api/admin/inbox/messages/:id and /forms/:id. */
export const inboxMarkSchema = z.object({
  read: z.optional(z.boolean()),
  answered: z.optional(z.boolean()),
});
export type InboxMark = z.infer<typeof inboxMarkSchema>;

/** Whether the newsletter may be sent to this address. */
export const isSubscribed = ({ confirmedAt, unsubscribedAt }: Subscriber): boolean =>
  confirmedAt !== null && unsubscribedAt === null;

/** Each list with the query `kind`, `cursor` and `limit`. */
export const inboxApi = {
  messages: reads('/api/admin/inbox', messagePageSchema),
  forms: reads('/api/admin/inbox', formPageSchema),
  subscribers: reads('/api/admin/inbox', subscriberPageSchema),
  reviews: reads('/api/admin/inbox', reviewPageSchema),
  /** Marks an entry of 'messages' or 'forms' as read or answered, or takes the mark off. */
  mark: changes('POST', '/api/admin/inbox/:kind/:id', inboxMarkSchema, doneSchema),
};

/** The newsletter's addresses with time and words of the consent, as a file. @public */
export const subscribersFile = '/api/admin/subscribers.csv';
