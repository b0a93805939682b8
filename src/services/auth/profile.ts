import * as z from 'zod/mini';
import type { ProfileForm } from '#domain/checkout/forms.ts';
import { createReader } from '#domain/reader.ts';
import type { User } from '#domain/account/session.ts';
import { throwAnswer } from '#services/connection.ts';
import { getSupabase } from '#services/supabase.ts';

const textColumn = z.nullable(z.string());
const profileReader = createReader(
  z.object({
    email: textColumn,
    full_name: textColumn,
    phone: textColumn,
    address: textColumn,
    city: textColumn,
    postal_code: textColumn,
  }),
);
type ProfileRow = ReturnType<typeof profileReader.parse>;

/** A customer's profile as shown and edited; absent values are null. */
export interface Profile {
  email: string;
  fullName: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  postalCode: string | null;
}

function profileFromRow(row: ProfileRow, user: User): Profile {
  return {
    email: row.email ?? user.email,
    fullName: row.full_name,
    phone: row.phone,
    address: row.address,
    city: row.city,
    postalCode: row.postal_code,
  };
}

const missingCodes = new Set(['PGRST116', 'PGRST205', '42P01']);

/**
 * The customer's profile. Without a row (or without the table) it is made of the account's own data
 * (spec section 5). Throws with the server's message for every other error.
 */
export async function fetchProfile(user: User): Promise<Profile> {
  const supabase = await getSupabase();
  const { data, error, status } = await supabase
    .from('profiles')
    .select(profileReader.columns)
    .eq('id', user.id)
    .maybeSingle();
  if (data !== null) return profileFromRow(profileReader.parse(data), user);
  if (error && !missingCodes.has(error.code) && status !== 404)
    throwAnswer(error, status, 'The profile cannot be read');
  const none = { fullName: null, phone: null, address: null, city: null, postalCode: null };
  return { ...none, email: user.email, fullName: user.name || null };
}

/** Saves the customer's own profile and returns it as stored. Throws with a message for the customer. */
export async function saveProfile(user: User, form: ProfileForm): Promise<Profile> {
  const supabase = await getSupabase();
  const { data, error, status } = await supabase
    .from('profiles')
    .update(form)
    .eq('id', user.id)
    .select(profileReader.columns)
    .maybeSingle();
  if (error) throwAnswer(error, status, 'The profile cannot be saved');
  if (data === null)
    throw new Error('Your account has no profile to save to yet. Please contact us.');
  return profileFromRow(profileReader.parse(data), user);
}
