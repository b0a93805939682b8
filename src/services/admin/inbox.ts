import { inboxApi, type InboxMark } from '#domain/admin/inbox.ts';
import { callAdmin } from './api.ts';
import { pageQuery, type PageRequest } from './page-request.ts';

const part = (kind: string, page: PageRequest) => ({
  query: pageQuery({ kind }, page),
  signal: page.signal,
});

/** Messages of the contact form, newest first. Throws AdminError. @public */
export const fetchMessages = (page: PageRequest) =>
  callAdmin(inboxApi.messages, part('messages', page));

/** Entries of the form-collection endpoint, newest first. Throws AdminError. */
export const fetchForms = (page: PageRequest) => callAdmin(inboxApi.forms, part('forms', page));

/** Newsletter addresses, newest first. Throws AdminError. @public */
export const fetchSubscribers = (page: PageRequest) =>
  callAdmin(inboxApi.subscribers, part('subscribers', page));

/** Customers' reviews, newest first. Throws AdminError. @public */
export const fetchReviews = (page: PageRequest) =>
  callAdmin(inboxApi.reviews, part('reviews', page));

/** Marks a message or a form entry as read or answered, or takes the mark off. Throws AdminError. */
export const markEntry = (kind: 'messages' | 'forms', id: number, body: InboxMark) =>
  callAdmin(inboxApi.mark, { params: { kind, id }, body });
