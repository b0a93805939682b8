import type { SandboxPayment } from '#local/emulators/razorpay/entities.ts';
import type { PaymentWay } from '#domain/sums/payment-way.ts';
import { restoreBackup, takeBackup, type Backup } from './backup.ts';
import { finishAll } from './processes.ts';
import type { Random } from './random.ts';
import * as requests from './requests.ts';
import type { CheckoutResponse, Line, Product } from './requests.ts';
import type { Customer, World } from './world.ts';

/** Knowledge of the people of a history, on which they can act. */
export interface Scene {
  world: World;
  random: Random;
  products: readonly Product[];
  /** Checkouts that were opened: whoever has one can pay it, also long afterwards. */
  checkouts: { customer: Customer; orderId: string; lines: Line[]; way: PaymentWay }[];
  /** Checkout's result for the page after a payment. */
  responses: { customer: Customer; response: CheckoutResponse }[];
  /** The last press on 'Pay' of each customer. */
  lastPress: Map<Customer, { key: string; lines: Line[]; way: PaymentWay }>;
  /** The newest backup of the database. */
  backup: Backup | null;
  /** Adds a line to the history. */
  note: (line: string) => void;
}

/** One thing that happens. Returns false when there is nothing that it could happen to. */
export type Action = (scene: Scene) => Promise<boolean> | boolean;

const orderNumbers = async ({ world }: Scene): Promise<number[]> =>
  (
    await world.database.sql<{ id: number }>('select id::int as id from public.orders order by id')
  ).map(({ id }) => id);

const sizeOf = (random: Random, { sizes }: Product): { size?: string } =>
  sizes.length === 0 ? {} : { size: random.pick(sizes) };

const pressPay: Action = async ({ world, random, products, lastPress, checkouts, note }) => {
  const customer = random.pick(world.customers);
  const last = lastPress.get(customer);
  const again = last !== undefined && random.percent(35);
  const chosen = products.filter(() => random.percent(50));
  const lines = again
    ? last.lines
    : (chosen.length > 0 ? chosen : products.slice(0, 1)).map((product) => ({
        product,
        ...sizeOf(random, product),
        quantity: 1 + random.int(2),
      }));
  const key = again && random.percent(50) ? last.key : random.uuid();
  const way = again && random.percent(80) ? last.way : random.percent(40) ? 'door' : 'now';
  lastPress.set(customer, { key, lines, way });
  await world.database.sql('delete from public.costs where true');
  note(
    `${customer.name} ${way === 'now' ? 'presses Pay' : 'orders with cash on delivery'} for ${lines.map(({ product, size, quantity }) => `${String(quantity)} of ${String(products.indexOf(product) + 1)}${size === undefined ? '' : `, size ${size}`}`).join(', ')}`,
  );
  requests.createOrder(
    world,
    customer,
    key,
    lines,
    ({ status, json }) => {
      const isReserved = json['reserved'] === true;
      const result = isReserved ? 'reserved' : (json['order_id'] ?? json['error']);
      note(`create-order answers ${String(status)} ${String(result)}`);
      if (status === 200 && !isReserved)
        checkouts.push({ customer, orderId: String(json['order_id']), lines, way });
    },
    way,
  );
  return true;
};

const pay: Action = ({ world, random, checkouts, responses, note }) => {
  // The newest checkout is paid most often: customers seldom pay in old tabs.
  const checkout = random.percent(70)
    ? checkouts.at(-1)
    : checkouts[random.int(Math.max(1, checkouts.length))];
  if (!checkout) return false;
  const { customer, orderId } = checkout;
  const order = world.razorpay.records.orders.find(({ id }) => id === orderId);
  // Checkout itself refuses to pay twice; two devices at once can.
  if (!order || (order.status === 'paid' && !random.percent(25))) return false;
  const status = random.percent(70) ? 'captured' : 'authorized';
  const amount = random.percent(3) ? order.amount + 100 : order.amount;
  const response = world.razorpay.pay(orderId, { status, amount });
  note(
    `${customer.name} pays ${String(amount)} on ${orderId}: ${response.razorpay_payment_id}, ${status}`,
  );
  responses.push({ customer, response });
  // The browser is closed in all other cases.
  if (random.percent(60)) requests.verify(world, customer, response);
  else if (random.percent(30)) requests.callback(world, response);
  return true;
};

/** A customer's payment is late: its hold has ended when they order the same cart again, and pay that order too. */
const payAgainWhileLate: Action = async (scene) => {
  const { world, random, checkouts, responses, note } = scene;
  const amountOf = (orderId: string): number =>
    world.razorpay.records.orders.find(({ id, status }) => id === orderId && status === 'created')
      ?.amount ?? 0;
  const unpaid = checkouts.filter(({ orderId }) => amountOf(orderId) > 0);
  if (unpaid.length === 0) return false;
  const { customer, orderId, lines, way } = random.pick(unpaid);
  const pay = (id: string): void => {
    const payment = { status: 'captured', amount: amountOf(id) } as const;
    responses.push({ customer, response: world.razorpay.pay(id, payment) });
  };
  await world.pass(1_003);
  await world.database.sql('delete from public.costs where true');
  pay(orderId);
  note(
    `${customer.token} does not see yet that ${orderId} is paid, and orders the same cart again`,
  );
  requests.createOrder(
    world,
    customer,
    random.uuid(),
    lines,
    ({ status, json }) => {
      if (status !== 200 || json['reserved'] === true) return;
      const again = String(json['order_id']);
      checkouts.push({ customer, orderId: again, lines, way });
      note(`${customer.token} pays ${again} too`);
      pay(again);
    },
    way,
  );
  return true;
};

/** A customer cancels a paid order, or gives up an unpaid one; seldom their page is older than a payment. */
const cancelOwn: Action = async ({ world, random, note }) => {
  const { database, customers, memory } = world;
  const orders = await database.sql<{ id: number; user: string; paid: boolean }>(
    `select id::int, user_id::text as user, paid from public.orders where fulfilment <> 'cancelled' order by id`,
  );
  if (orders.length === 0) return false;
  const { id, user, paid: isPaid } = random.pick(orders);
  const customer = customers.find((one) => one.id === user);
  if (!customer) throw new Error(`Order ${String(id)} is nobody's`);
  const paid = random.percent(85) ? isPaid : !isPaid;
  await database.sql('delete from public.costs where true');
  note(`${customer.name} ${paid ? 'cancels a paid order' : 'gives up an unpaid order'}`);
  requests.cancelOwn(world, customer, id, { key: random.uuid(), paid }, ({ status, json }) => {
    note(`own cancel answers ${String(status)} ${String(json['error'] ?? json['status'])}`);
    if (status === 200) memory.told.push({ order: id });
  });
  return true;
};

const backUp: Action = async (scene) => {
  const { world, random, checkouts, responses, note } = scene;
  // An old backup has more to go wrong than a new one.
  if (scene.backup && random.percent(75)) return false;
  note('a backup is taken');
  scene.backup = await takeBackup(world);
  // Often an order that is open in the backup is sold right after it.
  const unpaid = checkouts.filter(({ orderId }) =>
    world.razorpay.records.orders.some(({ id, status }) => id === orderId && status === 'created'),
  );
  if (unpaid.length === 0 || random.percent(40)) return true;
  const { customer, orderId } = random.pick(unpaid);
  const response = world.razorpay.pay(orderId, { status: 'captured' });
  responses.push({ customer, response });
  note(`${customer.name} pays ${orderId}: ${response.razorpay_payment_id}, which no backup knows`);
  requests.verify(world, customer, response);
  await finishAll(world, random);
  return true;
};

const restore: Action = async ({ world, backup, note }) => {
  if (!backup) return false;
  note('the database is lost; two hours later the backup is restored');
  // More time passes than any hold lasts: earlier functions are over, and nobody pays an order of the backup in its time.
  await world.pass(8_017);
  await restoreBackup(world, backup);
  return true;
};

const report: Action = ({ world, random, responses, note }) => {
  if (responses.length === 0) return false;
  const { customer, response } = random.pick(responses);
  note(`the page reports ${response.razorpay_payment_id} once more`);
  if (random.percent(60)) requests.verify(world, customer, response);
  else requests.callback(world, response);
  return true;
};

const deliver: Action = ({ world, random, note }) => {
  const { deliveries } = world.razorpay;
  if (deliveries.length === 0) return false;
  const delivery = random.pick(deliveries);
  const isKept = random.percent(15);
  if (!isKept) deliveries.splice(deliveries.indexOf(delivery), 1);
  if (random.percent(20)) {
    note(`the event ${delivery.event} is lost`);
    return true;
  }
  note(`Razorpay sends ${delivery.event}${isKept ? ', and will again' : ''}`);
  requests.webhook(world, delivery, ({ status }) => {
    if (status !== 200) deliveries.push(delivery);
  });
  return true;
};

const paymentsThat = (
  { world }: Scene,
  fits: (payment: SandboxPayment) => boolean,
): SandboxPayment[] => world.razorpay.records.payments.filter(fits);

const endAuthorisation: Action = (scene) => {
  const waiting = paymentsThat(scene, ({ status }) => status === 'authorized');
  if (waiting.length === 0) return false;
  const payment = scene.random.pick(waiting);
  const isCaptured = scene.random.percent(65);
  scene.note(`Razorpay ${isCaptured ? 'captures' : 'returns'} ${payment.id}, which was authorised`);
  if (isCaptured) scene.world.razorpay.capture(payment);
  else scene.world.razorpay.expire(payment);
  return true;
};

const refundByHand: Action = (scene) => {
  const captured = paymentsThat(
    scene,
    ({ status, amount, amount_refunded: refunded }) =>
      status === 'captured' && amount - refunded >= 100,
  );
  if (captured.length === 0) return false;
  const payment = scene.random.pick(captured);
  const left = payment.amount - payment.amount_refunded;
  const amount = scene.random.percent(60) ? left : Math.max(100, Math.floor(left / 3));
  scene.note(`somebody refunds ${String(amount)} of ${payment.id} in the dashboard`);
  scene.world.razorpay.refundByHand(payment, amount);
  return true;
};

const refundLongAfter: Action = async (scene) => {
  const { world, random, note } = scene;
  note('eight quiet days pass');
  await world.pass(8 * 86_400 + 73);
  // Razorpay returns what nobody captured for five days.
  for (const payment of paymentsThat(scene, ({ status }) => status === 'authorized'))
    world.razorpay.expire(payment);
  // A sweep that nothing disturbs compares everything of before.
  requests.sweep(world);
  await finishAll(world, random);
  const { deliveries } = world.razorpay;
  const before = deliveries.length;
  if (!(await refundByHand(scene))) return true;
  // Razorpay's message about it is lost.
  deliveries.splice(before);
  return true;
};

const hangMail: Action = async ({ world, random, note }) => {
  const isHanging = random.percent(60);
  note(`the mail server ${isHanging ? 'hangs' : 'answers'}`);
  world.mail.setHanging(isHanging);
  if (!isHanging) return true;
  // More mails than can be tried, one after the other, before the platform ends the sweep.
  for (let count = 0; count < 6; count += 1)
    await world.database.sql(
      `select public.notify_admin('difference', '{"kind": "refunds_differ"}', $1)`,
      `simulated:${random.uuid()}`,
    );
  requests.sweep(world);
  return true;
};

const endRefund: Action = ({ world, random, note }) => {
  const pending = world.razorpay.records.refunds.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return false;
  const refund = random.pick(pending);
  const succeeds = random.percent(70);
  note(`the refund ${refund.id} ${succeeds ? 'is done' : 'fails at the bank'}`);
  world.razorpay.finishRefund(refund, succeeds);
  return true;
};

const adminOrder =
  (name: string, act: (scene: Scene, order: number) => void): Action =>
  async (scene) => {
    const orders = await orderNumbers(scene);
    if (orders.length === 0) return false;
    const order = scene.random.pick(orders);
    scene.note(`the admin: ${name} of order ${String(orders.indexOf(order) + 1)}`);
    act(scene, order);
    return true;
  };

/** What the admin or a courier does with an order that is paid at the door; a list of cash is often read twice. */
const handleCash: Action = async ({ world, random, note }) => {
  const orders = await world.database.sql<{
    id: number;
    cash: number;
    hold: string;
    sent: boolean;
    revision: string;
  }>(
    `select id::int, cash_paise::int as cash, hold_state as hold, fulfilment in ('shipped', 'delivered') as sent,
       to_jsonb(updated_at) #>> '{}' as revision
     from public.orders where cash_paise > 0 order by id`,
  );
  if (orders.length === 0) return false;
  const away = orders.filter(({ sent }) => sent);
  if (away.length > 0 && random.percent(25)) {
    const list = away.map(({ id, cash }) => [id, random.percent(90) ? cash : cash - 100] as const);
    note('the admin reads a list of cash');
    requests.readCashList(world, list);
    // The same list is sent once more.
    if (random.percent(40)) requests.readCashList(world, list);
    return true;
  }
  // Mostly those that can go on.
  const open = orders.filter(({ hold }) => hold === 'reserved' || hold === 'taken');
  const { id, cash, hold, sent, revision } = random.pick(
    open.length > 0 && random.percent(85) ? open : orders,
  );
  type Act = 'confirm' | 'receive' | 'refuse' | 'send';
  const acts: Readonly<Record<string, readonly Act[]>> = {
    reserved: ['confirm', 'confirm', 'confirm', 'receive'],
    taken: sent ? ['receive', 'receive', 'refuse'] : ['send', 'send', 'confirm', 'receive'],
  };
  const act = random.pick<Act>(acts[hold] ?? ['confirm', 'receive', 'refuse']);
  note(`the admin: ${act} of a cash order`);
  if (act === 'send') requests.fulfil(world, id, 'shipped');
  else if (act === 'confirm')
    requests.cash(world, id, act, { revision }, ({ status }) => {
      if (status === 200 && random.percent(70)) requests.fulfil(world, id, 'shipped');
    });
  else if (act === 'refuse')
    requests.cash(world, id, act, { reason: 'Nobody at home', restock: random.percent(80) });
  else {
    const body = {
      amountPaise: random.percent(90) ? cash : cash - 100,
      reference: random.percent(90) ? 'UTR1' : 'UTR2',
    };
    requests.cash(world, id, act, body);
    if (random.percent(30)) requests.cash(world, id, act, body);
  }
  return true;
};

const refundOrder = adminOrder('refund', ({ world, random, products }, order) => {
  const product = random.pick(products);
  const restock = random.percent(30)
    ? [{ productId: product.id, ...sizeOf(random, product), quantity: 1 }]
    : [];
  requests.refund(
    world,
    order,
    random.uuid(),
    random.pick([100, 5_000, ...world.razorpay.records.orders.map(({ amount }) => amount)]),
    restock,
  );
});

const refundProblem: Action = async ({ world, random, note }) => {
  const problems = await world.database.sql<{ id: string }>(
    'select payment_id as id from private.payment_problems() where refundable order by at',
  );
  if (problems.length === 0) return false;
  const { id } = random.pick(problems);
  note(`the admin refunds ${id}, which waited`);
  requests.refundPayment(world, id, random.uuid());
  return true;
};

const editStock: Action = async ({ world, random, products, note }) => {
  const product = random.pick(products);
  const change = random.pick([-2, -1, 1, 2]);
  note(
    `the admin changes the stock of ${String(products.indexOf(product) + 1)} by ${String(change)}`,
  );
  await requests.editStock(world, product, change);
  return true;
};

const passTime: Action = async ({ world, random, note }) => {
  // Far from round numbers: no limit of the shop is just reached.
  const seconds = random.pick([37, 73, 73, 407, 407, 1_003, 1_003, 3_011, 8_017, 90_011]);
  note(`${String(seconds)} seconds pass`);
  await world.pass(seconds);
  return true;
};

const sweep: Action = ({ world, note }) => {
  note('the sweep starts');
  requests.sweep(world);
  return true;
};

/** The possible events, with how often of a hundred. */
export const actions: readonly (readonly [number, Action])[] = [
  ...([
    [15, pressPay],
    [12, handleCash],
    [11, pay],
    [4, payAgainWhileLate],
    [4, cancelOwn],
    [3, report],
    [10, deliver],
    [4, endAuthorisation],
    [2, refundByHand],
    [2, refundLongAfter],
    [2, hangMail],
    [3, endRefund],
    [3, backUp],
    [2, restore],
  ] as const),
  ...([
    [6, passTime],
    [5, sweep],
    [3, editStock],
    [3, refundOrder],
    [2, refundProblem],
  ] as const),
  [
    2,
    adminOrder('cancellation', ({ world, random }, order) =>
      requests.cancel(world, order, random.uuid(), random.percent(60)),
    ),
  ],
  [
    2,
    adminOrder('packing', ({ world, random }, order) =>
      requests.fulfil(world, order, random.percent(50) ? 'packed' : 'shipped'),
    ),
  ],
];
