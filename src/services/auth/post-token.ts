import { getAccessToken } from './account.ts';

/**
 * Opens a page of the customer's own, such as an invoice, in a tab of its own. A form posts the token: a link cannot carry it,
 * and a page made here from a fetched answer would live under this page's content policy and lose its looks.
 * False when nobody is signed in any more.
 */
export async function openWithToken(path: string): Promise<boolean> {
  const token = await getAccessToken();
  if (token === null) return false;
  const form = document.createElement('form');
  form.method = 'post';
  form.action = path;
  form.target = '_blank';
  form.rel = 'noopener';
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'token';
  field.value = token;
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
  return true;
}
