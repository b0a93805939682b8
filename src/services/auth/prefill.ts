import * as z from 'zod/mini';
import type { CustomerDetails } from '#domain/checkout/forms.ts';
import { orderRowSchema } from '#domain/orders/order-row.ts';
import { createReader } from '#domain/reader.ts';
import type { User } from '#domain/account/session.ts';
import { fetchProfile } from './profile.ts';
import { getSupabase } from '#services/supabase.ts';

const detailsReader = createReader(
  z.pick(orderRowSchema, {
    customer_name: true,
    customer_phone: true,
    customer_address: true,
    customer_city: true,
    customer_postal_code: true,
  }),
);
type LastDetails = ReturnType<typeof detailsReader.parse>;

/** The details of the customer's newest paid order; null when there is none. */
async function fetchLastDetails(user: User): Promise<LastDetails | null> {
  const supabase = await getSupabase();
  const { data, error } = await supabase
    .from('orders')
    .select(detailsReader.columns)
    .eq('user_id', user.id)
    .not('paid_at', 'is', null)
    .order('created_at', { ascending: false })
    .limit(1)
    .maybeSingle();
  if (error) throw new Error(error.message);
  return data === null ? null : detailsReader.parse(data);
}

/**
 * The known details of a customer for the checkout form: the profile, which holds those of the newest paid order unless the
 * customer edited it later (SQL `remember_details`). What is too long for the profile comes from that order. Never throws; the
 * customer types what cannot be read.
 */
export async function fetchKnownDetails(user: User): Promise<Partial<CustomerDetails>> {
  try {
    const [profile, last] = await Promise.all([fetchProfile(user), fetchLastDetails(user)]);
    return {
      name: profile.fullName ?? last?.customer_name ?? '',
      email: profile.email,
      phone: profile.phone ?? last?.customer_phone ?? '',
      address: profile.address ?? last?.customer_address ?? '',
      city: profile.city ?? last?.customer_city ?? '',
      postalCode: profile.postalCode ?? last?.customer_postal_code ?? '',
    };
  } catch (error) {
    console.warn('The checkout form could not be filled in', error);
    return {};
  }
}
