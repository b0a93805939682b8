import type { DeliverySettings } from '#shop-schema/shop-schema.ts';

export const delivery: DeliverySettings = {
  shipping: {
    freeWithin: 'Rajasthan',
    processing: '2-3 business days',
    standard: '4-8 business days',
    express: '1-2 business days',
    expressCharge: '₹150 a parcel',
    damageHours: 72,
    claimFilesMegabytes: 500,
    lostAfterDays: 20,
  },
  refunds: {
    begunWithin: 'three business days',
    arriveWithin: '4-6 business days',
    returnsPlatformFee: false,
    confirmAbove: 15_000,
  },
  cashOnDelivery: {
    charge: 4_900,
    platformFee: true,
    minTotal: 30_000,
    maxTotal: 800_000,
    pins: ['30', '31', '32', '33', '34'],
    advance: { percent: 10 },
    keepsAdvance: false,
    confirmWithinHours: 48,
    refusedForDays: 90,
  },
  parcel: { grams: 180, lengthCm: 14, breadthCm: 10, heightCm: 5 },
};
