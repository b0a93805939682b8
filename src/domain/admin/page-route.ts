import { inboxKinds, type InboxKind } from './inbox.ts';

/** What of the admin page is shown: the part after `#` of its address. */
export type AdminRoute =
  | { section: 'shop' }
  | { section: 'orders'; orderId: number | 'new' | null }
  | { section: 'customers' | 'figures' }
  | { section: 'inbox'; kind: InboxKind };

/** Reads '#orders/1001', '#orders/new', '#inbox/forms', …; a query after `?` is the view's own. Anything unknown is the shop. */
export function readAdminRoute(hash: string): AdminRoute {
  const [section = '', detail = ''] = hash.replace(/^#|\?.*$/gsu, '').split('/');
  if (section === 'orders' && detail === 'new') return { section, orderId: detail };
  if (section === 'orders')
    return { section, orderId: /^[1-9]\d{0,14}$/u.test(detail) ? Number(detail) : null };
  if (section === 'customers' || section === 'figures') return { section };
  if (section === 'inbox')
    return { section, kind: inboxKinds.find((kind) => kind === detail) ?? 'messages' };
  return { section: 'shop' };
}
