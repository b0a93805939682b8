import {
  offerSchema,
  recoveryCodesSchema,
  secondFactorSchema,
  type SecondFactor,
  type SecondFactorOffer,
} from '../../domain/admin/second-factor.ts';
import { adminGet, adminSend } from './api.ts';
import type { Credentials } from './session.ts';

const path = '/api/admin/second-factor';

/** Whether a second factor is turned on. Throws AdminError. */
export const fetchSecondFactor = (signal: AbortSignal): Promise<SecondFactor> =>
  adminGet(path, secondFactorSchema, signal);

/** A new secret for the authenticator app. Throws AdminError. */
export const fetchOffer = (): Promise<SecondFactorOffer> =>
  adminSend('POST', `${path}/offer`, {}, offerSchema);

/** Turns the offered secret on. Returns the recovery codes. Throws AdminError: 403 'wrong_code', 429. */
export const turnOn = async (code: string): Promise<string[]> =>
  (await adminSend('POST', `${path}/on`, { code }, recoveryCodesSchema)).recoveryCodes;

/** Returns new recovery codes, which replace the old ones. Throws AdminError as `confirmAdmin`. */
export const replaceRecoveryCodes = async (credentials: Credentials): Promise<string[]> =>
  (await adminSend('POST', `${path}/codes`, credentials, recoveryCodesSchema)).recoveryCodes;

/** Throws AdminError as `confirmAdmin`. */
export const turnOff = (credentials: Credentials): Promise<SecondFactor> =>
  adminSend('POST', `${path}/off`, credentials, secondFactorSchema);

/** A QR code as the path of an SVG with one unit per module; `size` modules on each side. */
export async function createQrCode(text: string): Promise<{ size: number; path: string }> {
  const { default: qrcode } = await import('qrcode-generator');
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const rows = Array.from({ length: size }, (_row, row) =>
    Array.from({ length: size }, (_column, column) =>
      code.isDark(row, column) ? `M${String(column)} ${String(row)}h1v1h-1z` : '',
    ).join(''),
  );
  return { size, path: rows.join('') };
}
