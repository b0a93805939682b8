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

/**
 * Signs the demo customer up, unless there, confirms the address and fills the profile. `confirm` marks an address as
 * confirmed: `@supabase/lite` has none of the admin calls that would do it. Throws when the database refuses.
 */
export async function seedCustomer(
  database: SupabaseClient,
  confirm: (email: string) => Promise<void>,
): Promise<void> {
  const { error } = await database.auth.signUp({
    ...demoCustomer,
    options: { data: { full_name: profile.full_name } },
  });
  // A start that was interrupted here left the account behind: a second sign-up is then refused, or must wait.
  if (
    error &&
    !['user_already_exists', 'email_exists', 'over_email_send_rate_limit'].includes(
      error.code ?? '',
    )
  )
    throw error;
  await confirm(demoCustomer.email);
  const updated = await database
    .from('profiles')
    .update(profile)
    .eq('email', demoCustomer.email)
    .select('id');
  if (updated.error) throw new Error(updated.error.message);
  if (updated.data.length !== 1) throw new Error('the demo customer has no profile');
}
