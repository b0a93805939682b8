import { personalDataApi } from '../../domain/admin/personal-data.ts';
import { callAdmin } from '../../services/admin/api.ts';

/** Erases whoever has this address. Returns how many of their orders stay. Throws AdminError. */
export const erasePerson = async (email: string): Promise<number> =>
  (await callAdmin(personalDataApi.erase, { body: { email } })).kept;
