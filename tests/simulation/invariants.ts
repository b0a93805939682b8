import type { SandboxPayment } from '#local/emulators/razorpay/entities.ts';
import { issuedNumbers } from './backup.ts';
import type { Product } from './requests.ts';
import type { World } from './world.ts';

interface OrderRow {
  id: number;
  status: string;
  fulfilment: string;
  packed_at: string | null;
  cancel_reason: string | null;
  user_id: string | null;
  cart_fingerprint: string | null;
  created_at: string;
  paid_at: string | null;
  hold_state: string;
  total_paise: number;
  cash_paise: number;
  kept_paise: number;
  release_reason: string | null;
  payment_id: string | null;
  advance_payment_id: string | null;
  razorpay_order_id: string | null;
  items: { product_id: string; size?: string; quantity: number }[];
  restocked: Record<string, number>;
}
interface State {
  /** What was taken by hand. */
  cash: { order_id: number; amount_paise: number }[];
  orders: OrderRow[];
  products: { id: string; stock: number; sizes: { size: string; stock: number }[] }[];
  refunds: { payment_id: string; amount_paise: number; state: string }[];
  outbox: { dedupe_key: string; attempts: number; sent: boolean }[];
  problems: { kind: string; payment_id: string }[];
}

const list = (table: string, columns = '*'): string =>
  `(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (select ${columns} from ${table}) t)`;

async function readState({ database }: World): Promise<State> {
  const [row] = await database.sql<{ state: State }>(`select jsonb_build_object(
    'orders', ${list('public.orders')}, 'products', ${list('public.products', 'id, stock, sizes')},
    'cash', ${list(`public.payments where payment_id like 'hand_%'`, 'order_id, amount_paise')},
    'refunds', ${list('public.refunds', 'payment_id, amount_paise, state')},
    'outbox', ${list('public.outbox', 'dedupe_key, attempts, sent_at is not null as sent')},
    'problems', ${list('private.payment_problems()')}) as state`);
  if (!row) throw new Error('The database has no state');
  return row.state;
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
/** Money that Razorpay has of a payment for the shop, in paise. */
const netOf = ({ status, amount, amount_refunded: refunded }: SandboxPayment): number =>
  status === 'captured' ? amount - refunded : 0;

/** Whether this is a payment that a standing order keeps: of all of it, or of a cash order's advance. */
function isKeptBy(order: OrderRow | undefined, payment: SandboxPayment): boolean {
  if (order?.razorpay_order_id !== payment.order_id) return false;
  if (order.payment_id === payment.id)
    return (
      order.status === 'COMPLETED' &&
      order.total_paise === payment.amount &&
      order.fulfilment !== 'cancelled'
    );
  const isRefused = order.release_reason === 'refused' && order.kept_paise === payment.amount;
  const isOpen = order.fulfilment !== 'cancelled' && order.status !== 'FAILED';
  return order.total_paise - order.cash_paise === payment.amount && (isOpen || isRefused);
}

/** Cash is there once for an order, and all of it; an order that it completes has nothing else to its name. */
const checkCash = ({ orders, cash }: State): string[] =>
  orders
    .filter(({ cash_paise: due }) => due > 0)
    .flatMap(({ id, status, cash_paise: due, payment_id: payment }) => {
      const taken = cash.filter(({ order_id: of }) => of === id);
      const sum = taken.reduce((total, { amount_paise: paise }) => total + paise, 0);
      const isPaid = status === 'COMPLETED';
      return sum === (isPaid ? due : 0) && (payment !== null) === isPaid
        ? []
        : [`order ${String(id)} is ${status} with ${String(sum)} of ${String(due)} paise in cash`];
    });

function checkMoney({ razorpay }: World, { orders, refunds, problems }: State): string[] {
  const waits = (payment: string): boolean => problems.some(({ payment_id: id }) => id === payment);
  const found: string[] = [];
  for (const payment of razorpay.records.payments) {
    const order = orders.find(
      ({ payment_id: id, advance_payment_id: advance }) =>
        id === payment.id || advance === payment.id,
    );
    const net = netOf(payment);
    if (net > 0 && !isKeptBy(order, payment) && !waits(payment.id)) {
      found.push(
        `${String(net)} paise of ${payment.id} belong to no order that stands, and nobody is notified`,
      );
    }
    if (order?.status === 'COMPLETED' && !payment.captured)
      found.push(
        `order ${String(order.id)} is completed by ${payment.id}, which was never captured`,
      );
    const ours = sum(
      refunds
        .filter(({ payment_id: id, state }) => id === payment.id && state !== 'failed')
        .map(({ amount_paise: paise }) => paise),
    );
    // A refund that a lost database knew, and that went back in full before the loss, is nobody's to record.
    const isLost =
      !orders.some(({ razorpay_order_id: id }) => id === payment.order_id) && net === 0;
    if (payment.captured && !isLost && ours !== payment.amount_refunded && !waits(payment.id)) {
      found.push(
        `${payment.id}: ${String(payment.amount_refunded)} paise are refunded at Razorpay, ${String(ours)} here`,
      );
    }
  }
  for (const { id } of razorpay.records.orders) {
    const kept = razorpay.records.payments.filter(
      (payment) => payment.order_id === id && netOf(payment) > 0 && !waits(payment.id),
    );
    if (kept.length > 1) found.push(`${id} is paid ${String(kept.length)} times`);
  }
  for (const { id, status, payment_id: paymentId } of orders) {
    if (
      status === 'COMPLETED' &&
      paymentId?.startsWith('hand_') !== true &&
      !razorpay.records.payments.some((payment) => payment.id === paymentId)
    )
      found.push(`order ${String(id)} is completed without a payment`);
  }
  return found;
}

/** A cart that a customer ordered twice before either order was paid is sold once; the other payment goes back. */
function checkCarts({ razorpay }: World, { orders, problems }: State): string[] {
  const stand = orders.flatMap((order) => {
    const { user_id: user, cart_fingerprint: cart, payment_id: id, paid_at: paid } = order;
    const payment = razorpay.records.payments.find((one) => one.id === id);
    const waits = problems.some(({ payment_id: other }) => other === id);
    return user !== null && paid !== null && payment && netOf(payment) > 0 && !waits
      ? [{ id: order.id, cart: `${user} ${String(cart)}`, begun: order.created_at, paid }]
      : [];
  });
  return stand.flatMap((first) =>
    stand
      .filter(
        (second) =>
          second.cart === first.cart &&
          Date.parse(second.paid) > Date.parse(first.paid) &&
          Date.parse(second.begun) < Date.parse(first.paid),
      )
      .map(
        (second) => `orders ${String(first.id)} and ${String(second.id)} are one cart, sold twice`,
      ),
  );
}

function checkStock(
  { stockEdits }: World,
  { orders, products }: State,
  initial: readonly Product[],
): string[] {
  return initial.flatMap(({ id, stock }) => {
    const quantities = orders
      .filter(({ hold_state: state }) => state !== 'released')
      .map(
        ({ items, restocked }) =>
          sum(items.filter((item) => item.product_id === id).map(({ quantity }) => quantity)) -
          sum(
            Object.entries(restocked).map(([key, quantity]) => (key.startsWith(id) ? quantity : 0)),
          ),
      );
    const now = products.find((product) => product.id === id)?.stock ?? 0;
    const expected = stock + (stockEdits.get(id) ?? 0);
    const out = sum(quantities);
    const { sizes = [] } = products.find((product) => product.id === id) ?? {};
    if (sizes.length > 0 && sum(sizes.map((size) => size.stock)) !== now)
      return [`product ${id.slice(-1)}: its sizes are not ${String(now)}`];
    return now + out === expected
      ? []
      : [
          `product ${id.slice(-1)}: ${String(now)} in stock and ${String(out)} held or sold are not ${String(expected)}`,
        ];
  });
}

/** A customer who reads that an order is cancelled can rely on it, and cancels only what they saw and nobody has packed. */
function checkCancellations({ memory }: World, { orders, outbox }: State): string[] {
  const found = memory.told
    .filter(({ order }) =>
      orders.some(({ id, fulfilment }) => id === order && fulfilment !== 'cancelled'),
    )
    .map(
      ({ order }) => `order ${String(order)} stands, and its customer read that it is cancelled`,
    );
  for (const { id, status, cancel_reason: reason, packed_at: packed } of orders) {
    if (reason !== 'Cancelled by the customer') continue;
    const name = `order ${String(id)}`;
    if (packed !== null) found.push(`${name} was packed, and its customer cancelled it`);
    if (status !== 'COMPLETED') continue;
    if (!memory.cancellations.some(({ order, paid }) => order === id && paid))
      found.push(`${name} was paid, and is cancelled by who gave up an unpaid one`);
    if (!outbox.some(({ dedupe_key: key }) => key === `cancelled_by_customer:${String(id)}`))
      found.push(`${name} was cancelled by its customer, and the admin is not told`);
  }
  return found;
}

function checkMail({ mail, memory }: World, { orders, outbox }: State): string[] {
  const found = [
    ...mail.repeated.map((key) => `the mail ${key} was sent twice`),
    ...mail.overdue.map(
      (name) => `the ${name} waited for the mail server until the platform ended it`,
    ),
  ];
  for (const { id, cash_paise: due } of orders.filter(({ status }) => status === 'COMPLETED')) {
    for (const kind of [due > 0 ? 'cash_order_placed' : 'order_confirmation', 'order_notice']) {
      if (!outbox.some(({ dedupe_key: key }) => key === `${kind}:${String(id)}`))
        found.push(`order ${String(id)} has no ${kind}`);
    }
  }
  for (const { dedupe_key: key, sent } of outbox)
    if (sent && !mail.sent.has(key) && !memory.countedAsSent.has(key))
      found.push(`the mail ${key} is recorded as sent and was not`);
  return found;
}

/** A refund that is still due can only be one that Razorpay has no money left for; the admin sees it as waiting. */
function checkRefunds({ razorpay }: World, { refunds, problems }: State): string[] {
  const isWaiting = ({ payment_id: id, amount_paise: paise }: State['refunds'][number]): boolean =>
    problems.some(({ payment_id: other }) => other === id) &&
    razorpay.records.payments.every((payment) => payment.id !== id || netOf(payment) < paise);
  return refunds
    .filter(
      (refund) => refund.state === 'requested' || (refund.state === 'due' && !isWaiting(refund)),
    )
    .map(({ payment_id: id, state }) => `a refund of ${id} is ${state}`);
}

/** The invariants of a world that has come to rest. Returns the broken ones. */
export async function violationsAtRest(
  world: World,
  products: readonly Product[],
): Promise<string[]> {
  const state = await readState(world);
  return [
    ...checkMoney(world, state),
    ...checkCash(state),
    ...checkCarts(world, state),
    ...checkStock(world, state, products),
    ...checkMail(world, state),
    ...checkCancellations(world, state),
    ...[...(await issuedNumbers(world)), ...state.orders.map(({ id }) => `order ${String(id)}`)]
      .filter((number) => world.memory.lostNumbers.has(number))
      .map((number) => `${number} was issued twice`),
    ...state.orders
      .filter(({ hold_state: hold }) => hold === 'held' || hold === 'reserved')
      .map(({ id }) => `order ${String(id)} still holds stock`),
    ...state.outbox
      .filter(({ sent, attempts }) => !sent && attempts < 20)
      .map(({ dedupe_key: key }) => `the mail ${key} was not sent`),
    ...checkRefunds(world, state),
  ];
}
