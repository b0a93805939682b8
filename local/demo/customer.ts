import type { SupabaseClient } from '@supabase/supabase-js';

/** The demo customer's sign-in, printed at every start. */
export const demoCustomer = { email: 'shopper@kasavu.example', password: 'kasavu-demo' } as const;

const profile = {
  full_name: 'Anjali Menon',
  phone: '+919847012345',
  address: '14 Temple Road, Vadakkumnathan West',
  city: 'Thrissur',
  postal_code: '680001',
};

/** Makes a confirmed account with this password, unless it is there. */
export type CreateAccount = (account: {
  email: string;
  password: string;
  data: { full_name: string };
}) => Promise<void>;

/** Makes the demo customer's account and fills the profile. Throws when the database refuses. */
export async function seedCustomer(
  database: SupabaseClient,
  createAccount: CreateAccount,
): Promise<void> {
  await createAccount({ ...demoCustomer, data: { full_name: profile.full_name } });
  const updated = await database
    .from('profiles')
    .update(profile)
    .eq('email', demoCustomer.email)
    .select('id');
  if (updated.error) throw new Error(updated.error.message);
  if (updated.data.length !== 1) throw new Error('the demo customer has no profile');
}

/**
 * Makes accounts by a sign-up. `confirm` marks an address as confirmed: `@supabase/lite` has none of the admin calls that would do it.
 */
export const createAccountBySignUp =
  (database: SupabaseClient, confirm: (email: string) => Promise<void>): CreateAccount =>
  async ({ email, password, data }) => {
    const { error } = await database.auth.signUp({ email, password, options: { data } });
    // A start that was interrupted here left the account behind: a second sign-up must wait.
    if (error && error.code !== 'over_email_send_rate_limit') throw error;
    await confirm(email);
  };
