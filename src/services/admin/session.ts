import { localTexts } from '#services/storage/browser-storage.ts';
import { requestJson, withSession } from './api.ts';

/** The flag of spec section 4: this browser has logged in and not out. It opens nothing; the server's session does. */
export const adminFlagKey = 'kasavu:admin';

export const hasAdminFlag = (): boolean => localTexts.getItem(adminFlagKey) !== null;

export function setAdminFlag(on: boolean): void {
  if (on) localTexts.setItem(adminFlagKey, '1');
  else localTexts.removeItem(adminFlagKey);
}

/** Proves who the admin is. The code is required when a second factor is turned on. */
export interface Credentials {
  password: string;
  code?: string | undefined;
}

/**
 * Opens a session on the server. Throws AdminError: 401 'wrong_password', 'code_required' or 'wrong_code', 429, 503, or no
 * response.
 */
export async function logIn(credentials: Credentials): Promise<void> {
  await requestJson('/api/admin/login', { method: 'POST', body: credentials });
}

/** Confirms who uses the open session. Throws AdminError: 403 'wrong_password', 'code_required' or 'wrong_code', 429. */
export async function confirmAdmin(credentials: Credentials): Promise<void> {
  await withSession(() => requestJson('/api/admin/confirm', { method: 'POST', body: credentials }));
}

/** Ends the session on the server, here or on every device. Throws AdminError. */
export async function logOut(everywhere: boolean): Promise<void> {
  await requestJson('/api/admin/logout', { method: 'POST', body: { everywhere } });
}
