import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';

/** The stored data of a person, by subject, as `private.personal_data` writes it. A subject without rows is null. */
export type PersonalData = Readonly<Record<string, unknown>>;

const schema = z.record(z.string(), z.unknown());

export const readOwnData = (userId: string): Promise<PersonalData> =>
  callFunction('own_data', { p_user_id: userId }, schema);

/** Null when nothing is stored for this e-mail address. */
export const readDataOfAddress = (email: string): Promise<PersonalData | null> =>
  callFunction('data_of_address', { p_email: email }, z.nullable(schema));
