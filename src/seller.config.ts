import { shippingLabel, supportEmail } from './shop.config.ts';

/** The seller, the seller's words, and shipping. Apart from `shop.config.ts`, which every page carries in its scripts. */
export const seller = {
  legalName: 'Kasavu Jewellery',
  tagline: 'Jewellery with the gold thread of Kerala',
  description:
    'Rings, necklaces, bracelets, earrings and watches in the Kerala tradition, made for every day and sent all over India.',
  contact: {
    emails: [supportEmail, 'orders@kasavu.example'],
    phone: '+91 484 000 0000',
    whatsapp: '914840000000',
    address: 'Kerala, India',
    hours: ['Mon-Fri 9:00 AM-6:00 PM', 'Sat 10:00 AM-4:00 PM', 'Sun 10:00 AM-6:00'],
  },
  founder: { name: 'Meera Nair', role: 'Founder' },
  shipping: {
    label: shippingLabel,
    freeWithin: 'Kerala',
    processing: '1-2 business days',
    standard: '5-7 business days',
    express: '2-3 business days',
    /** Hours after delivery in which damage is to be reported. */
    damageHours: 48,
    /** Storage for photos and videos of damage, in MB, all orders together. Supabase's free plan has 1,000. */
    claimFilesMegabytes: 1_000,
    /** Days after the last day of delivery, after which a parcel counts as lost. */
    lostAfterDays: 15,
  },
  mails: {
    /**
     * How many mails a day strangers can cause by forms and holds, 12 at least; the rest of what your mail provider sends in a
     * day is for orders. A fifth of a free plan's 300. Two thirds go to addresses that they enter, one third to you.
     */
    fromStrangersPerDay: 60,
  },
  /** Within what a message is answered. */
  answersWithin: '24 hours',
  refunds: {
    /** Within what a claim is answered, and an agreed refund begun. */
    begunWithin: 'two business days',
    /** How long a bank takes afterwards. */
    arriveWithin: '5-7 business days',
    /**
     * Whether a customer who cancels a paid order gets the platform fee back, too. Razorpay keeps its fee of a refunded payment,
     * so `true` costs the shop about 2 % of the order. What the shop itself cancels is always paid back whole.
     */
    returnsPlatformFee: true as boolean,
    /**
     * Rupees. The admin types the password again before the refunds since the last time come to more than this; null for never.
     * Cancelling a paid order and answering a damage claim with a refund count, too.
     */
    confirmAbove: 10_000 as number | null,
  },
} as const;

/**
 * Size and weight of every parcel in the file for couriers. An order does not know its weight: give the box with its filling and a
 * typical product.
 */
export const parcel = { grams: 250, lengthCm: 16, breadthCm: 12, heightCm: 6 } as const;
