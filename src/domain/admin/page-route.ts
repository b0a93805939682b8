import { inboxKinds, type InboxKind } from './inbox.ts';

/** What of the admin page is shown: the part after `#` of its address. */
export type AdminRoute =
  | { section: 'today' | 'shop' | 'customers' | 'figures' | 'more' }
  | { section: 'orders'; orderId: number | 'new' | null }
  | { section: 'inbox'; kind: InboxKind };

/** The views that an address names without more. */
const plainSections = ['today', 'customers', 'figures', 'more'] as const;

/** Reads '#orders/1001', '#orders/new', '#inbox/forms', …; a query after `?` is the view's own. Anything unknown is the shop. */
export function readAdminRoute(hash: string): AdminRoute {
  const [name = '', detail = ''] = hash.replace(/^#|\?.*$/gsu, '').split('/');
  if (name === 'orders' && detail === 'new') return { section: name, orderId: detail };
  if (name === 'orders')
    return { section: name, orderId: /^[1-9]\d{0,14}$/u.test(detail) ? Number(detail) : null };
  if (name === 'inbox')
    return { section: name, kind: inboxKinds.find((kind) => kind === detail) ?? 'messages' };
  return { section: plainSections.find((section) => section === name) ?? 'shop' };
}
