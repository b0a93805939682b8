import type { DeployFailedEvent } from '@netlify/functions';
import cancelEndpoint from '#netlify/functions/order-cancel.ts';
import createOrderEndpoint from '#netlify/functions/payment-create-order.ts';
import deletionEndpoint from '#netlify/functions/account-deletion.ts';
import deployEvents from '#netlify/functions/deploy-events.ts';
import discountsEndpoint from '#netlify/functions/discount-check.ts';
import pageFault from '#netlify/functions/page-fault.ts';
import signUpRefused from '#netlify/functions/sign-up-refused.ts';
import statusEndpoint from '#netlify/functions/payment-status.ts';
import submissionCreated from '#netlify/functions/submission-created.ts';
import trackEndpoint from '#netlify/functions/order-track.ts';
import { orderPath } from '#core/mail/order-links.ts';
import { functionAt } from '#tests/functions/support/functions.ts';
import { isCodeSent } from '#tests/functions/account/auth-hook.ts';
import { sendForm } from '#tests/functions/forms/visitor-forms.ts';
import { sendEvent } from '#tests/functions/payments/webhook-events.ts';
import { customerDetails, type Answer, type Stack } from '#tests/functions/support/stack.ts';
import {
  createCallers,
  endUnconfirmed,
  leaveCart,
  openLoginGuesses,
  type Caller,
  type Limit,
} from './cost-callers.ts';

interface Placed {
  number: number;
  razorpay: string;
  product: string;
}

export interface Driver {
  /** Causes the effect once, if the shop lets it. True when it did; a driver with `count` says nothing. */
  doors: Readonly<Record<string, (caller: Caller) => Promise<unknown>>>;
  /** How often the effect happened, when the answer does not tell. */
  count?: () => Promise<number>;
}

export interface CostDrivers {
  /** The drivers by effect. Those in seconds are in tests/functions/platform/costs.test.ts. */
  drivers: Readonly<Record<string, Driver>>;
  /** A product with one unit. */
  lastUnit: () => string;
  /** Empties what the drivers fill, makes every limit large, and adds products and people. */
  prepare: () => Promise<void>;
  /** Another caller each time, who has in common with the others what the scope says. `kind`: IPv4, or the /48 of IPv6. */
  nextCaller: (scope: Limit['scope'], kind: 'ipv4' | 'ipv6') => Promise<Caller>;
  /** POST create-order as this caller. */
  order: (caller: Caller, productId: string) => Promise<Answer>;
  /** An order of this caller at the provider. */
  placed: (caller: Caller) => Promise<Placed>;
  /** Sends a form as this caller. */
  form: (caller: Caller, which: 'contact' | 'newsletter' | 'alert') => Promise<Answer>;
}

/** Tables that the drivers fill, in an order in which they can be emptied: faster than truncating. */
const filled = [
  'costs',
  'outbox',
  'contact_messages',
  'subscribers',
  'stock_alerts',
  'form_entries',
  'webhook_events',
  'builds',
  'refunds',
  'payments',
  'orders',
] as const;

/** Every way in which the tests know to cause an effect that costs the shop, for costs.test.ts beside it. */
export async function openCostDrivers(stack: Stack): Promise<CostDrivers> {
  let addresses = 0;
  const product = { sold: '', alert: '', last: '' };
  const { people, nextCaller } = await createCallers(stack);

  const message = { name: 'Devika', email: 'devika@example.org', subject: '', message: 'Hello' };
  const email = (): string => {
    addresses += 1;
    return `stranger-${String(addresses)}@example.org`;
  };
  const fault = { fault: 'TypeError', place: '', page: '/' };
  const guessedCode = { code: 'GUESS1' };
  const isTaken = ({ status }: Answer): boolean => status !== 429 && status !== 503;
  const lines = (id: string) => [{ product_id: id, quantity: 1 }];

  /** POST create-order as this caller. */
  async function order(
    { customer, phone, ip }: Caller,
    id = product.sold,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> {
    return stack.post(
      createOrderEndpoint,
      '/api/payment/create-order',
      {
        ...customerDetails,
        customer_phone: phone,
        products: lines(id),
        total_amount: await stack.totalOf(lines(id)),
        ...fields,
      },
      {
        token: customer.token,
        headers: { 'idempotency-key': crypto.randomUUID() },
        context: { ip },
      },
    );
  }
  async function placed(caller: Caller): Promise<Placed> {
    const id = await stack.addProduct();
    const { json, text } = await order(caller, id);
    if (json['order_id'] === undefined) throw new Error(`Not placed: ${text}`);
    return {
      number: (json['order'] as { number: number }).number,
      razorpay: json['order_id'] as string,
      product: id,
    };
  }
  const cancel = ({ customer, ip }: Caller, id: number, paid: boolean): Promise<Answer> =>
    stack.post(
      cancelEndpoint,
      `/api/orders/${String(id)}/cancel`,
      { key: crypto.randomUUID(), paid },
      { token: customer.token, context: { ip } },
    );
  /** Pays at the provider, and reports it by webhook. */
  async function pay(razorpay: string): Promise<void> {
    const { razorpay_payment_id: id } = stack.razorpay.pay(razorpay);
    await sendEvent(stack, 'payment.captured', id);
  }
  const form = (caller: Caller, which: keyof typeof forms): Promise<Answer> => {
    const [name, values] = forms[which]();
    return sendForm(stack, name, values, { ip: caller.ip });
  };
  const forms = {
    contact: () => ['contact', message] as const,
    newsletter: () => ['newsletter', { email: email() }] as const,
    alert: () => ['stock-alert', { email: email(), product_id: product.alert }] as const,
  };
  const send = (which: keyof typeof forms) => async (caller: Caller) =>
    (await form(caller, which)).status === 200;
  const everyForm = {
    'contact form': send('contact'),
    newsletter: send('newsletter'),
    'stock alert': send('alert'),
  };
  /** An order whose mailed links the tests open. */
  const linkOf = { id: '', linkVersion: 0 };
  /** A request of a damage report, about an order that arrived. */
  const claim = async ({ ip }: Caller, action: string): Promise<Answer> => {
    await stack.sql(
      `update public.orders set status = 'COMPLETED', payment_status = 'COMPLETED', hold_state = 'taken', fulfilment = 'delivered' where id = $1`,
      linkOf.id,
    );
    return stack.post(
      await functionAt('POST', `/api/claims/${action}`),
      `/api/claims/${action}`,
      {},
      {
        headers: { 'x-claim-link': orderPath('claim', linkOf).split('#')[1] ?? '' },
        context: { ip },
      },
    );
  };
  /** A request of a review's link; it counts whether the order takes reviews or not. */
  const review = async ({ ip }: Caller, action: string): Promise<boolean> => {
    const path = `/api/reviews/${action}`;
    const headers = { 'x-review-link': orderPath('review', linkOf).split('#')[1] ?? '' };
    const endpoint = await functionAt('POST', path);
    return isTaken(await stack.post(endpoint, path, {}, { headers, context: { ip } }));
  };
  /** The mails that wait or were sent, but for alerts to the admin. */
  const mailsOut = (): Promise<number> =>
    stack.value(
      `select count(*)::int from public.outbox where kind not in ('push', 'admin_alert')`,
    );
  /** Codes that went out at once. */
  let codes = 0;
  const sendCode = async (caller: Caller, action: 'signup' | 'recovery'): Promise<void> => {
    codes += (await isCodeSent(stack, caller, action)) ? 1 : 0;
  };
  const guess = await openLoginGuesses(stack);
  const accountPost =
    (endpoint: typeof deletionEndpoint, path: string) =>
    async ({ customer }: Caller) =>
      isTaken(
        await stack.call(endpoint, path, {
          method: 'POST',
          token: customer.token,
          headers: { origin: 'https://kasavu.example' },
        }),
      );

  /** The copy of an order's form that Netlify passes on; `anjali@example.com` has ordered. */
  const collectForm = async ({ ip }: Caller, address: string): Promise<void> => {
    const payload = { form_name: 'order', data: { name: 'x', email: address } };
    await stack.post(
      submissionCreated,
      '/.netlify/functions/submission-created',
      { payload },
      { context: { ip } },
    );
  };
  const storedForms = (ofOrder: boolean): Promise<number> =>
    stack.value('select count(*)::int from public.form_entries where of_order = $1', ofOrder);

  /** Its total has the charge for cash and no platform fee. */
  const orderAtDoor = async (caller: Caller, id?: string): Promise<boolean> => {
    const fields = { payment_way: 'door', total_amount: 1_050 };
    const ring = id ?? (await stack.addProduct({ price: 1_000 }));
    return (await order(caller, ring, fields)).json['reserved'] === true;
  };

  const drivers: Readonly<Record<string, Driver>> = {
    form_try: { doors: everyForm },
    form: { doors: everyForm },
    stranger_mail: {
      doors: {
        'a cart that is left': async (caller) => {
          await order(caller);
          await leaveCart(stack, caller);
        },
        ...everyForm,
        'the welcome after a confirmation': async () => {
          const [row] = await stack.sql<{ token: string }>(
            'select asked_token::text as token from public.subscribers where confirmed_at is null limit 1',
          );
          if (row)
            await stack.call(
              await functionAt('POST', '/newsletter/confirm'),
              `/newsletter/confirm?token=${row.token}`,
              { method: 'POST', headers: { origin: 'https://kasavu.example' } },
            );
        },
        'deletion of the account': accountPost(deletionEndpoint, '/api/my-data/delete'),
        'the code of a sign-up': (caller) => sendCode(caller, 'signup'),
        'the code of a login': (caller) => sendCode(caller, 'recovery'),
      },
      count: async () => codes + (await mailsOut()),
    },
    customer_mail: {
      doors: {
        'the code of a login': async (caller) => {
          await stack.sql(
            `insert into public.orders (merchant_transaction_id, user_id, status, payment_status)
             values (gen_random_uuid(), $1, 'COMPLETED', 'COMPLETED')`,
            caller.customer.id,
          );
          return isCodeSent(stack, caller, 'recovery');
        },
      },
    },
    code_mail: {
      doors: {
        'the code of a sign-up': (caller) => isCodeSent(stack, caller, 'signup'),
        'the code of a login': (caller) => isCodeSent(stack, caller, 'recovery'),
      },
    },
    account_request: {
      doors: {
        'deletion of the account': accountPost(deletionEndpoint, '/api/my-data/delete'),
        'the data of the account': async ({ customer }) =>
          isTaken(
            await stack.call(await functionAt('POST', '/api/my-data'), '/api/my-data?as=file', {
              method: 'POST',
              headers: {
                origin: 'https://kasavu.example',
                'content-type': 'application/x-www-form-urlencoded',
              },
              body: new URLSearchParams({ token: customer.token }).toString(),
            }),
          ),
        'the link to report damage': async ({ customer }) =>
          isTaken(
            await stack.post(
              await functionAt('POST', '/api/claims/link'),
              '/api/claims/link',
              { orderId: 1 },
              { token: customer.token },
            ),
          ),
      },
    },
    message: {
      doors: { 'contact form': everyForm['contact form'] },
      count: () => stack.value('select count(*)::int from public.contact_messages'),
    },
    order_form: {
      doors: { 'the collected form': (caller) => collectForm(caller, 'x@example.com') },
      count: () => storedForms(false),
    },
    own_form: {
      doors: { 'the collected form': (caller) => collectForm(caller, 'anjali@example.com') },
      count: () => storedForms(true),
    },
    provider_call: {
      doors: {
        'create-order': async (caller) => isTaken(await order(caller)),
        'a cancellation': async (caller) => isTaken(await cancel(caller, 1, false)),
      },
    },
    // Every way of customers to such a refund: tests/database/payments/lost-fees.test.ts.
    fee_lost: {
      doors: {
        'cancelled after paying': async (caller) => {
          const { number, razorpay } = await placed(caller);
          await pay(razorpay);
          await cancel(caller, number, true);
        },
        'paid for the cart before a change': async (caller) => {
          const { product: sold, razorpay } = await placed(caller);
          await placed(caller);
          // Another customer bought it.
          await stack.sql('update public.products set stock = 0 where id = $1', sold);
          await pay(razorpay);
        },
        'paid after giving up': async (caller) => {
          const { number, razorpay } = await placed(caller);
          await cancel(caller, number, false);
          await pay(razorpay);
        },
      },
      count: () => stack.value('select count(*)::int from public.refunds'),
    },
    cash_mail: {
      doors: { 'an order to be paid at the door': (caller) => orderAtDoor(caller) },
      count: () =>
        stack.value(
          `select count(*)::int from public.outbox m join public.orders o on o.id = m.order_id where o.cash_paise > 0 and o.hold_state = 'reserved'`,
        ),
    },
    cash_order: { doors: { 'an order to be paid at the door': (caller) => orderAtDoor(caller) } },
    cash_last_unit: {
      doors: {
        'an order to be paid at the door that nobody confirms': async (caller) =>
          (await orderAtDoor(caller, product.last)) && endUnconfirmed(stack),
      },
    },
    failed_payment: {
      doors: {
        'a refused card': async (caller) => {
          const answer = await order(caller, await stack.addProduct());
          if (answer.status !== 200) return;
          const { razorpay_payment_id: id } = stack.razorpay.pay(String(answer.json['order_id']), {
            status: 'failed',
          });
          await sendEvent(stack, 'payment.failed', id);
        },
      },
      count: () =>
        stack.value(
          `select count(*)::int from public.webhook_events where event = 'payment.failed'`,
        ),
    },
    lookup: {
      doors: {
        tracking: async ({ ip }) =>
          isTaken(await stack.call(trackEndpoint, orderPath('track', linkOf), { context: { ip } })),
        invoice: async ({ ip }) =>
          isTaken(
            await stack.call(trackEndpoint, orderPath('invoice', linkOf), { context: { ip } }),
          ),
        'a payment link': async ({ ip }) =>
          isTaken(
            await stack.call(
              statusEndpoint,
              `/api/payment/link?order=1001&token=${'a'.repeat(32)}`,
              {
                context: { ip },
              },
            ),
          ),
      },
    },
    code_try: {
      doors: {
        'the field for codes': async ({ ip }) =>
          isTaken(
            await stack.post(discountsEndpoint, '/api/discount', guessedCode, { context: { ip } }),
          ),
      },
    },
    image_work: {
      doors: {
        'the state of a report': async (caller) => isTaken(await claim(caller, 'order')),
        'a photo': async (caller) => isTaken(await claim(caller, 'photo')),
        'a video': async (caller) => isTaken(await claim(caller, 'video')),
        'the state of a review': (caller) => review(caller, 'order'),
        'an image of a review': (caller) => review(caller, 'image'),
      },
    },
    claim_report: { doors: { 'a report': async (caller) => isTaken(await claim(caller, 'send')) } },
    review: { doors: { 'sent reviews': (caller) => review(caller, 'send') } },
    deploy_report: {
      doors: {
        'a forged event': () =>
          Promise.resolve(
            deployEvents.deployFailed({
              deploy: { id: crypto.randomUUID(), context: 'production' },
            } as unknown as DeployFailedEvent),
          ).then(() => undefined),
      },
      count: () => stack.value('select count(*)::int from public.builds'),
    },
    admin_login: { doors: { 'the login': async (caller) => isTaken(await guess(caller)) } },
    wrong_code: {
      doors: {
        'a wrong code': async () => void (await stack.sql('select public.note_wrong_code()')),
      },
      // Each is refused; from this one on, the admin is told.
      count: () =>
        stack.value(`select count(*)::int from public.costs where effect = 'wrong_code'`),
    },
    page_fault: {
      doors: {
        'the report': async ({ ip }) =>
          isTaken(await stack.post(pageFault, '/api/page-fault', fault, { context: { ip } })),
      },
    },
    sign_up_refused: {
      doors: {
        'the report': async ({ ip }) =>
          isTaken(await stack.post(signUpRefused, '/api/sign-up-refused', {}, { context: { ip } })),
      },
    },
  };

  return {
    drivers,
    nextCaller,
    order,
    placed,
    form,
    lastUnit: () => product.last,
    async prepare() {
      codes = 0;
      for (const table of filled) await stack.sql(`delete from public.${table} where true`);
      await stack.sql('update public.cost_limits set most = 1000000');
      product.sold = await stack.addProduct({ stock: 500 });
      product.alert = await stack.addProduct({ stock: 0 });
      product.last = await stack.addProduct({ price: 1_000, stock: 1 });
      const [customer] = people;
      if (!customer) throw new Error('Nobody signed up');
      const answer = await stack.createOrder(customer, lines(product.sold));
      linkOf.id = String((answer.json['order'] as { number: number }).number);
    },
  };
}
