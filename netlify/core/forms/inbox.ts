import * as z from 'zod/mini';
import {
  formPageSchema,
  inboxKinds,
  isSubscribed,
  messagePageSchema,
  reviewPageSchema,
  subscriberPageSchema,
  subscriberSchema,
  type InboxMark,
} from '#domain/admin/inbox.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { limitOf, readCursor, writeCursor } from '#core/platform/cursor.ts';

const pageSchemas = {
  messages: messagePageSchema,
  forms: formPageSchema,
  subscribers: subscriberPageSchema,
  reviews: reviewPageSchema,
} as const;

/** A page of the inbox, newest first, as src/domain/admin/inbox.ts describes it. Throws 400 for a kind that is none. */
export async function listInbox(query: URLSearchParams): Promise<unknown> {
  const kind = inboxKinds.find((known) => known === (query.get('kind') ?? 'messages'));
  if (kind === undefined)
    throw new HttpError(400, 'invalid_request', `The inbox has ${inboxKinds.join(', ')}.`);
  const limit = limitOf(query);
  const args = { p_kind: kind, p_before: readCursor(query, z.int()), p_limit: limit + 1 };
  const answerSchema = z.omit(pageSchemas[kind], { next: true });
  const { items, ...counts } = await callFunction('list_inbox', args, answerSchema);
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown,
    next: items.length > limit && last ? writeCursor(last.id) : null,
    ...counts,
  };
}

/** Marks a message or a form as read or answered, or takes a mark off. Throws 404 when there is no such entry. */
export async function markInbox(
  kind: 'messages' | 'forms',
  id: string | undefined,
  mark: InboxMark,
): Promise<void> {
  const notFound = new HttpError(404, 'not_found', 'This message is no longer there.');
  if (!/^[1-9]\d{0,14}$/u.test(id ?? '')) throw notFound;
  const args = {
    p_kind: kind,
    p_id: Number(id),
    p_read: mark.read ?? null,
    p_answered: mark.answered ?? null,
  };
  if (!(await callFunction('mark_inbox', args, z.boolean()))) throw notFound;
}

/** Every address that subscribed to the newsletter, as rows of a spreadsheet. @public */
export async function subscriberRows(): Promise<(string | null)[][]> {
  const subscribers = await callFunction('all_subscribers', {}, z.array(subscriberSchema));
  const head = [
    'E-mail',
    'Wants the newsletter',
    'Consent given at',
    'Consent',
    'Confirmed at',
    'Left at',
  ];
  return [
    head,
    ...subscribers.map((subscriber) => [
      subscriber.email,
      isSubscribed(subscriber) ? 'Yes' : 'No',
      subscriber.consentAt,
      subscriber.consentText,
      subscriber.confirmedAt,
      subscriber.unsubscribedAt,
    ]),
  ];
}
