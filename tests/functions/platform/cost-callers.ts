import adminSessionEndpoint from '#netlify/functions/admin-session.ts';
import { adminPassword } from '#tests/functions/admin/admin-client.ts';
import type { Answer, Customer, Stack } from '#tests/functions/support/stack.ts';

export interface Limit {
  effect: string;
  scope: 'account' | 'phone' | 'network' | 'shared' | 'all';
  seconds: number;
  most: number;
  /** Half at once, half evenly over the window. */
  refills: boolean;
}

/** Who knocks: an account with a phone, at an address. */
export interface Caller {
  customer: Customer;
  phone: string;
  ip: string;
  scope: Limit['scope'];
}

export interface Callers {
  people: readonly Customer[];
  /** Another caller each time, who has in common with the others what the scope says. `kind`: IPv4, or the /48 of IPv6. */
  nextCaller: (scope: Limit['scope'], kind: 'ipv4' | 'ipv6') => Promise<Caller>;
}

/** Accounts, phones and addresses for the drivers of costs. */
export async function createCallers(stack: Stack): Promise<Callers> {
  let callers = 0;
  const people = await Promise.all(Array.from({ length: 12 }, () => stack.signUp()));

  /** Another caller each time, who has in common with the others what the scope says. `kind`: IPv4 or the /48 of IPv6. */
  async function nextCaller(scope: Limit['scope'], kind: 'ipv4' | 'ipv6'): Promise<Caller> {
    callers += 1;
    const number = callers.toString(16);
    const [first] = people;
    const customer =
      scope === 'account' && first !== undefined
        ? first
        : (people[callers % people.length] ?? (await stack.signUp()));
    const ips: Record<Limit['scope'], string> = {
      account: `2001:db8:${number}::1`,
      phone: `2001:db8:${number}::1`,
      network: `2001:db8:1:1::${number}`,
      shared: kind === 'ipv4' ? '198.51.100.7' : `2001:db8:2:${number}::1`,
      all: `2001:db8:${number}::1`,
    };
    const phone = scope === 'phone' ? '98470 54321' : `98471 ${String(10_000 + callers)}`;
    return { customer, phone, ip: ips[scope], scope };
  }

  return { people, nextCaller };
}

/** Ends the orders that wait for the shop's word, because nobody answered. */
export async function endUnconfirmed(stack: Stack): Promise<true> {
  await stack.sql(`update public.orders set hold_expires_at = now() where hold_state = 'reserved'`);
  await stack.sql('select public.end_unconfirmed_orders(10)');
  return true;
}

/** The caller's open orders end unpaid, some hours ago, and the mails about their carts are queued. */
export async function leaveCart(stack: Stack, { customer }: Caller): Promise<void> {
  await stack.sql(
    `select public.release_order(id, 'expired') from public.orders where hold_state = 'held' and user_id = $1`,
    customer.id,
  );
  await stack.sql(
    `update public.orders o set customer_email = u.email, released_at = now() - interval '4 hours'
     from auth.users u where u.id = o.user_id and o.hold_state = 'released' and u.id = $1`,
    customer.id,
  );
  await stack.sql('select public.queue_cart_mails(3, 10)');
}

/** A guess at the admin's password, of an account by the cookie of a browser that has logged in before. */
export async function openLoginGuesses(stack: Stack): Promise<(caller: Caller) => Promise<Answer>> {
  const logInAs = (password: string, ip: string, cookie = ''): Promise<Answer> =>
    stack.post(
      adminSessionEndpoint,
      '/api/admin/login',
      { password, code: '' },
      { headers: { origin: 'https://kasavu.example', cookie }, context: { ip } },
    );
  const device = (await logInAs(adminPassword, '203.0.113.7')).headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .find((cookie) => cookie.startsWith('__Host-kasavu-device='));
  return ({ ip, scope }) => logInAs('wrong', ip, scope === 'account' ? device : '');
}
