import * as v from '#domain/validate.ts';

/** The signed-in customer as the browser sees them (spec section 3). */
export interface User {
  id: string;
  email: string;
  name: string;
}

const anyValue: v.Validator<unknown> = (value) => value;

const parseUser = v.object({
  id: v.nonEmptyString,
  email: v.withDefault(v.string, ''),
  // Null for an account that was made in the database.
  user_metadata: v.withDefault(v.object({ name: anyValue, full_name: anyValue }), null),
});

/** A user from Supabase's auth user: the name is metadata `name`, else `full_name`, else empty. Null if unreadable. */
export function userFromAuth(value: unknown): User | null {
  try {
    const { id, email, user_metadata: data } = parseUser(value);
    const name = [data?.name, data?.full_name].find(
      (text) => typeof text === 'string' && text.trim() !== '',
    );
    return { id, email, name: typeof name === 'string' ? name.trim() : '' };
  } catch {
    return null;
  }
}

const parseStored = v.object({ user: anyValue, refresh_token: v.string });

/** The user of a session as supabase-js stores it (JSON text). Null for nothing, broken or foreign text. */
export function userFromStoredSession(text: string | null): User | null {
  if (text === null) return null;
  try {
    return userFromAuth(parseStored(JSON.parse(text)).user);
  } catch {
    return null;
  }
}
