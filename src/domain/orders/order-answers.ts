/*
 * Written by `npm run states` from the view private.order_answers. supabase/schemas/orders/order-states.sql says what the words mean.
 */
type OrderKind =
  'now' | 'door' | 'door_advance' | 'link' | 'hand' | 'imported' | 'replacement' | 'test';

/** What an order of a state and kind answers. */
export interface OrderAnswers {
  takesStock: 'waiting' | 'none' | 'sold' | 'gone';
  money: 'none' | 'advance' | 'all' | 'back' | 'kept';
  isSale: boolean;
  cashOpen: boolean;
  isPurchase: boolean;
  income: 'none' | 'total' | 'kept';
  claim: 'never' | 'delivered' | 'sent';
  customerMay: 'pay' | 'nothing' | 'give_up' | 'cancel';
  endedBy: 'nobody' | 'written' | 'customer';
  waitsFor: 'payment' | 'nothing' | 'shop' | 'cash';
}

/** What a state answers otherwise than `cautious` for the kind `now`, and what other kinds answer otherwise than that. */
type StateAnswers = readonly [
  Partial<OrderAnswers>,
  Partial<Record<OrderKind, Partial<OrderAnswers>>>,
];

const cautious: OrderAnswers = {
  takesStock: 'sold',
  money: 'none',
  isSale: false,
  cashOpen: false,
  isPurchase: false,
  income: 'none',
  claim: 'never',
  customerMay: 'nothing',
  endedBy: 'written',
  waitsFor: 'nothing',
};

const table = {
  open: [
    { takesStock: 'waiting', customerMay: 'pay', endedBy: 'nobody', waitsFor: 'payment' },
    { imported: { takesStock: 'none', customerMay: 'nothing' } },
  ],
  left: [
    { takesStock: 'none', customerMay: 'give_up', waitsFor: 'payment' },
    { imported: { customerMay: 'nothing' } },
  ],
  ended: [{ takesStock: 'none', customerMay: 'give_up' }, { imported: { customerMay: 'nothing' } }],
  to_confirm: [
    { takesStock: 'waiting', customerMay: 'cancel', endedBy: 'nobody', waitsFor: 'shop' },
    {
      door_advance: { money: 'advance' },
      hand: { customerMay: 'nothing' },
      imported: { takesStock: 'none', customerMay: 'nothing' },
      replacement: { customerMay: 'nothing' },
    },
  ],
  due: [
    {
      isSale: true,
      claim: 'delivered',
      customerMay: 'cancel',
      endedBy: 'nobody',
      waitsFor: 'cash',
    },
    {
      door: { cashOpen: true },
      door_advance: { money: 'advance', cashOpen: true },
      hand: { customerMay: 'nothing' },
      imported: { takesStock: 'none', customerMay: 'nothing' },
      replacement: { customerMay: 'nothing' },
    },
  ],
  paid: [
    {
      money: 'all',
      isSale: true,
      isPurchase: true,
      income: 'total',
      claim: 'sent',
      customerMay: 'cancel',
      endedBy: 'nobody',
    },
    {
      hand: { customerMay: 'nothing' },
      imported: { takesStock: 'none', customerMay: 'nothing' },
      replacement: { money: 'none', isPurchase: false, income: 'none', customerMay: 'nothing' },
      test: { money: 'none', isPurchase: false, income: 'none' },
    },
  ],
  refunded: [
    { income: 'total', endedBy: 'nobody' },
    { imported: { takesStock: 'none' }, replacement: { income: 'none' }, test: { income: 'none' } },
  ],
  owed: [
    { takesStock: 'none', money: 'back' },
    { replacement: { money: 'none' }, test: { money: 'none' } },
  ],
  returned: [{ takesStock: 'none' }, {}],
  cancelled: [
    { takesStock: 'none', money: 'back' },
    { replacement: { money: 'none' }, test: { money: 'none' } },
  ],
  cancelled_paid: [
    { takesStock: 'gone', money: 'kept', income: 'kept' },
    {
      imported: { takesStock: 'none' },
      replacement: { money: 'none', income: 'none' },
      test: { money: 'none', income: 'none' },
    },
  ],
  refused: [
    { takesStock: 'none', money: 'kept', income: 'kept', endedBy: 'customer' },
    { replacement: { money: 'none', income: 'none' }, test: { money: 'none', income: 'none' } },
  ],
  written_off: [
    { takesStock: 'gone', money: 'kept', income: 'kept' },
    {
      imported: { takesStock: 'none' },
      replacement: { money: 'none', income: 'none' },
      test: { money: 'none', income: 'none' },
    },
  ],
  unknown: [{}, { imported: { takesStock: 'none' } }],
} satisfies Record<string, StateAnswers>;
const kinds: readonly string[] = [
  'now',
  'door',
  'door_advance',
  'link',
  'hand',
  'imported',
  'replacement',
  'test',
] satisfies OrderKind[];

/**
 * The answers for the columns `state` and `kind` of an order. A word that this build does not know, of a newer database, gets
 * the cautious ones.
 */
export function answersOf({
  state,
  kind,
}: {
  state: string | null;
  kind: string | null;
}): OrderAnswers {
  const isKnown =
    state !== null && Object.hasOwn(table, state) && kind !== null && kinds.includes(kind);
  const [every, but]: StateAnswers = table[isKnown ? (state as keyof typeof table) : 'unknown'];
  return { ...cautious, ...every, ...but[kind as OrderKind] };
}
