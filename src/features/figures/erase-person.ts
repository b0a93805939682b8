import { personalDataApi } from '../../domain/admin/personal-data.ts';
import { callAdmin } from '../../services/admin/api.ts';

/** Numbers of orders of other accounts that carry this address. Throws AdminError. */
export const fetchOrdersOfOthers = async (email: string): Promise<readonly number[]> =>
  (await callAdmin(personalDataApi.others, { body: { email } })).orders;

/** Erases whoever has this address. Returns how many of their orders stay. Throws AdminError. */
export const erasePerson = async (email: string): Promise<number> =>
  (await callAdmin(personalDataApi.erase, { body: { email } })).kept;
