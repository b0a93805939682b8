import type { DeliverySettings } from '#shop-schema/shop-schema.ts';

/** Shipping, refunds and the parcel. */
export const delivery: DeliverySettings = {
  shipping: {
    freeWithin: 'Kerala',
    processing: '1-2 business days',
    standard: '5-7 business days',
    express: '2-3 business days',
    expressCharge: 'charged by order',
    damageHours: 48,
    claimFilesMegabytes: 1_000,
    lostAfterDays: 15,
  },
  refunds: {
    begunWithin: 'two business days',
    arriveWithin: '5-7 business days',
    returnsPlatformFee: true,
    confirmAbove: 10_000,
  },
  parcel: { grams: 250, lengthCm: 16, breadthCm: 12, heightCm: 6 },
};
