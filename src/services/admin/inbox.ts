import * as z from 'zod/mini';
import {
  formPageSchema,
  messagePageSchema,
  subscriberPageSchema,
  type InboxMark,
} from '../../domain/admin/inbox.ts';
import { adminGet, adminSend } from './api.ts';
import { pageQuery, type PageRequest } from './page-request.ts';

const pathOf = (kind: string, page: PageRequest): string =>
  `/api/admin/inbox?${pageQuery({ kind }, page)}`;

/** Messages of the contact form, newest first. Throws AdminError. */
export const fetchMessages = (page: PageRequest) =>
  adminGet(pathOf('messages', page), messagePageSchema, page.signal);

/** Entries of the form-collection endpoint, newest first. Throws AdminError. */
export const fetchForms = (page: PageRequest) =>
  adminGet(pathOf('forms', page), formPageSchema, page.signal);

/** Newsletter addresses, newest first. Throws AdminError. */
export const fetchSubscribers = (page: PageRequest) =>
  adminGet(pathOf('subscribers', page), subscriberPageSchema, page.signal);

/** Marks a message or a form entry as read or answered, or takes the mark off. Throws AdminError. */
export async function markEntry(
  kind: 'messages' | 'forms',
  id: number,
  mark: InboxMark,
): Promise<void> {
  await adminSend(
    'POST',
    `/api/admin/inbox/${kind}/${String(id)}`,
    mark,
    z.object({ ok: z.literal(true) }),
  );
}

/** The newsletter's addresses with time and words of the consent, as a file. */
export const subscribersCsv = '/api/admin/subscribers.csv';
