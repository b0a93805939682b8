import type { CustomerDetails } from '#domain/checkout/forms.ts';
import { $session } from '#stores/session.ts';

let fetched: { userId: string; details: Promise<Partial<CustomerDetails>> } | null = null;

/** Known details of the signed-in customer from profile and orders, fetched once per page. Never rejects. */
export function loadKnownDetails(userId: string): Promise<Partial<CustomerDetails>> {
  if (fetched?.userId !== userId) fetched = { userId, details: ask(userId) };
  return fetched.details;
}

async function ask(userId: string): Promise<Partial<CustomerDetails>> {
  const session = $session.get();
  if (session.state !== 'signed-in' || session.user.id !== userId) return {};
  try {
    const { fetchKnownDetails } = await import('#services/auth/prefill.ts');
    return await fetchKnownDetails(session.user);
  } catch {
    return {};
  }
}
