import * as z from 'zod/mini';
import {
  inboxKinds,
  isSubscribed,
  type FormEntry,
  type InboxKind,
  type InboxMark,
  type InboxMessage,
  type Subscriber,
} from '../../../src/domain/admin/inbox.ts';
import { callFunction } from '../platform/database.ts';
import { HttpError } from '../platform/http-error.ts';
import { limitOf, readCursor, writeCursor } from '../platform/cursor.ts';

const at = z.nullable(z.string());
const marked = { id: z.int(), created_at: z.string(), read_at: at, answered_at: at };

const messageRow = z.pipe(
  z.object({ ...marked, name: z.string(), email: z.string(), subject: z.string(), message: z.string() }),
  z.transform(({ created_at: createdAt, read_at: readAt, answered_at: answeredAt, ...rest }): InboxMessage => ({
    ...rest,
    ...{ createdAt, readAt, answeredAt },
  })),
);
const formRow = z.pipe(
  z.object({ ...marked, form: z.string(), fields: z.record(z.string(), z.unknown()) }),
  z.transform(({ created_at: createdAt, read_at: readAt, answered_at: answeredAt, ...rest }): FormEntry => ({
    ...rest,
    ...{ createdAt, readAt, answeredAt },
  })),
);
const subscriberRow = z.pipe(
  z.object({
    ...{ id: z.int(), email: z.string(), consent_at: z.string(), consent_text: z.string() },
    ...{ confirmed_at: at, unsubscribed_at: at },
  }),
  z.transform((row): Subscriber => ({
    ...{ id: row.id, email: row.email, consentAt: row.consent_at, consentText: row.consent_text },
    ...{ confirmedAt: row.confirmed_at, unsubscribedAt: row.unsubscribed_at },
  })),
);
const rowsOf = {
  messages: z.array(messageRow),
  forms: z.array(formRow),
  subscribers: z.array(subscriberRow),
} satisfies Record<InboxKind, unknown>;

const pageSchema = z.object({
  rows: z.unknown(),
  unread: z.object({ messages: z.int(), forms: z.int() }),
  subscribers: z.int(),
});

/** A page of the inbox, newest first, as the schemas of src/domain/admin/inbox.ts describe it. Throws 400 for a kind that is none. */
export async function listInbox(query: URLSearchParams): Promise<unknown> {
  const kind = inboxKinds.find((known) => known === (query.get('kind') ?? 'messages'));
  if (kind === undefined) throw new HttpError(400, 'invalid_request', 'The inbox has messages, forms and subscribers.');
  const limit = limitOf(query);
  const args = { p_kind: kind, p_before: readCursor(query, z.int()), p_limit: limit + 1 };
  const { rows: raw, unread, subscribers } = await callFunction('list_inbox', args, pageSchema);
  const rows: { id: number }[] = rowsOf[kind].parse(raw);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? writeCursor(last.id) : null, unread, subscribers };
}

/** Marks a message or a form as read or answered, or takes a mark off. Throws 404 when there is no such entry. */
export async function markInbox(kind: 'messages' | 'forms', id: string | undefined, mark: InboxMark): Promise<void> {
  const notFound = new HttpError(404, 'not_found', 'This message is no longer there.');
  if (!/^[1-9]\d{0,14}$/u.test(id ?? '')) throw notFound;
  const args = { p_kind: kind, p_id: Number(id), p_read: mark.read ?? null, p_answered: mark.answered ?? null };
  if (!(await callFunction('mark_inbox', args, z.boolean()))) throw notFound;
}

/** Every address that asked for the newsletter, as rows of a spreadsheet. */
export async function subscriberRows(): Promise<(string | null)[][]> {
  const subscribers = await callFunction('all_subscribers', {}, rowsOf.subscribers);
  const head = ['E-mail', 'Wants the newsletter', 'Consent given at', 'Consent', 'Confirmed at', 'Left at'];
  return [
    head,
    ...subscribers.map((subscriber) => [
      ...[subscriber.email, isSubscribed(subscriber) ? 'Yes' : 'No', subscriber.consentAt, subscriber.consentText],
      ...[subscriber.confirmedAt, subscriber.unsubscribedAt],
    ]),
  ];
}
