import { inboxKinds, type InboxKind } from './inbox.ts';

/** The view of the admin page, from the hash of its URL. */
export type AdminRoute =
  | { section: 'today' | 'shop' | 'customers' | 'figures' | 'more' }
  | { section: 'orders'; orderId: number | 'new' | null }
  | { section: 'inbox'; kind: InboxKind };

/** Views without a further part in the hash. */
const plainSections = ['today', 'customers', 'figures', 'more'] as const;

/** Parses '#orders/1001', '#orders/new', '#inbox/forms', …; the query after `?` belongs to the view. Unknown hashes are the shop. */
export function readAdminRoute(hash: string): AdminRoute {
  const [name = '', detail = ''] = hash.replace(/^#|\?.*$/gsu, '').split('/');
  if (name === 'orders' && detail === 'new') return { section: name, orderId: detail };
  if (name === 'orders')
    return { section: name, orderId: /^[1-9]\d{0,14}$/u.test(detail) ? Number(detail) : null };
  if (name === 'inbox')
    return { section: name, kind: inboxKinds.find((kind) => kind === detail) ?? 'messages' };
  return { section: plainSections.find((section) => section === name) ?? 'shop' };
}
