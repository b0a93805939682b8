/** The view of the admin page, from the hash of its URL. */
export type AdminRoute =
  | { section: 'today' | 'shop' | 'more' }
  | { section: 'orders'; orderId: number | 'new' | null }
  /** A view that is reached from More. */
  | { section: 'view'; name: string; detail: string };

/**
 * Parses '#orders/1001', '#orders/new', '#inbox/forms', …; the query after `?` belongs to the view. Unknown hashes are the
 * shop. `views` has the names of the views that are reached from More.
 */
export function readAdminRoute(hash: string, views: readonly string[]): AdminRoute {
  const [name = '', detail = ''] = hash.replace(/^#|\?.*$/gsu, '').split('/');
  if (name === 'orders' && detail === 'new') return { section: name, orderId: detail };
  if (name === 'orders')
    return { section: name, orderId: /^[1-9]\d{0,14}$/u.test(detail) ? Number(detail) : null };
  if (name === 'today' || name === 'more') return { section: name };
  return views.includes(name) ? { section: 'view', name, detail } : { section: 'shop' };
}
