import { getAccessToken } from '../auth/account.ts';

/**
 * Opens the invoice of the shopper's own order in a tab of its own. A form posts the token: a link cannot carry it,
 * and a page made here from a fetched answer would live under this page's content policy and lose its looks.
 * False when nobody is signed in any more.
 */
export async function openInvoice(orderId: string): Promise<boolean> {
  const token = await getAccessToken();
  if (token === null) return false;
  const form = document.createElement('form');
  Object.assign(form, {
    ...{ method: 'post', target: '_blank', rel: 'noopener' },
    action: `/api/orders/${encodeURIComponent(orderId)}/invoice`,
  });
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: 'token', value: token });
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
  return true;
}
