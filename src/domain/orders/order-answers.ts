/*
 * Written by `npm run states` from the view private.order_answers. supabase/schemas/order-states.sql says what the words mean.
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
  customerMay: 'pay' | 'give_up' | 'cancel' | 'nothing';
  endedBy: 'nobody' | 'written' | 'customer';
  waitsFor: 'payment' | 'nothing' | 'shop' | 'cash';
}

/** The answers of a state for the kind `now`, and what other kinds answer otherwise. */
type StateAnswers = readonly [OrderAnswers, Partial<Record<OrderKind, Partial<OrderAnswers>>>];

const table = {
  open: [
    {
      takesStock: 'waiting',
      money: 'none',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'pay',
      endedBy: 'nobody',
      waitsFor: 'payment',
    },
    { imported: { takesStock: 'none' } },
  ],
  left: [
    {
      takesStock: 'none',
      money: 'none',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'give_up',
      endedBy: 'written',
      waitsFor: 'payment',
    },
    {},
  ],
  ended: [
    {
      takesStock: 'none',
      money: 'none',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'give_up',
      endedBy: 'written',
      waitsFor: 'nothing',
    },
    {},
  ],
  to_confirm: [
    {
      takesStock: 'waiting',
      money: 'none',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'cancel',
      endedBy: 'nobody',
      waitsFor: 'shop',
    },
    {
      door_advance: { money: 'advance' },
      hand: { customerMay: 'nothing' },
      imported: { takesStock: 'none', customerMay: 'nothing' },
      replacement: { customerMay: 'nothing' },
    },
  ],
  due: [
    {
      takesStock: 'sold',
      money: 'none',
      isSale: true,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
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
      takesStock: 'sold',
      money: 'all',
      isSale: true,
      cashOpen: false,
      isPurchase: true,
      income: 'total',
      claim: 'sent',
      customerMay: 'cancel',
      endedBy: 'nobody',
      waitsFor: 'nothing',
    },
    {
      hand: { customerMay: 'nothing' },
      imported: { takesStock: 'none', customerMay: 'nothing' },
      replacement: { money: 'none', isPurchase: false, income: 'none', customerMay: 'nothing' },
      test: { money: 'none', isPurchase: false, income: 'none' },
    },
  ],
  refunded: [
    {
      takesStock: 'sold',
      money: 'none',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'total',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'nobody',
      waitsFor: 'nothing',
    },
    { imported: { takesStock: 'none' }, replacement: { income: 'none' }, test: { income: 'none' } },
  ],
  owed: [
    {
      takesStock: 'none',
      money: 'back',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'written',
      waitsFor: 'nothing',
    },
    { replacement: { money: 'none' }, test: { money: 'none' } },
  ],
  returned: [
    {
      takesStock: 'none',
      money: 'none',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'written',
      waitsFor: 'nothing',
    },
    {},
  ],
  cancelled: [
    {
      takesStock: 'none',
      money: 'back',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'none',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'written',
      waitsFor: 'nothing',
    },
    { replacement: { money: 'none' }, test: { money: 'none' } },
  ],
  cancelled_paid: [
    {
      takesStock: 'gone',
      money: 'kept',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'kept',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'written',
      waitsFor: 'nothing',
    },
    {
      imported: { takesStock: 'none' },
      replacement: { money: 'none', income: 'none' },
      test: { money: 'none', income: 'none' },
    },
  ],
  refused: [
    {
      takesStock: 'none',
      money: 'kept',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'kept',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'customer',
      waitsFor: 'nothing',
    },
    { replacement: { money: 'none', income: 'none' }, test: { money: 'none', income: 'none' } },
  ],
  written_off: [
    {
      takesStock: 'gone',
      money: 'kept',
      isSale: false,
      cashOpen: false,
      isPurchase: false,
      income: 'kept',
      claim: 'never',
      customerMay: 'nothing',
      endedBy: 'written',
      waitsFor: 'nothing',
    },
    {
      imported: { takesStock: 'none' },
      replacement: { money: 'none', income: 'none' },
      test: { money: 'none', income: 'none' },
    },
  ],
  unknown: [
    {
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
    },
    { imported: { takesStock: 'none' } },
  ],
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
  return { ...every, ...but[kind as OrderKind] };
}
