import type { LegalSettings, SellerSettings } from '#shop-schema/shop-schema.ts';

/** EXAMPLES in both: the owner replaces every line with the real one before the shop takes its first order. */
export const seller: SellerSettings = {
  legalName: 'Kasavu Jewellery',
  tagline: 'Jewellery with the gold thread of Kerala',
  description:
    'Rings, necklaces, bracelets, earrings and watches in the Kerala tradition, made for every day and sent all over India.',
  contact: {
    emails: ['care@kasavu.example', 'orders@kasavu.example'],
    phone: '+91 484 000 0000',
    whatsapp: '914840000000',
    address: 'Kerala, India',
    hours: ['Mon-Fri 9:00 AM-6:00 PM', 'Sat 10:00 AM-4:00 PM', 'Sun 10:00 AM-6:00'],
  },
  founder: { name: 'Meera Nair', role: 'Founder' },
  answersWithin: '24 hours',
  mails: { fromStrangersPerDay: 60, leftCartAfterHours: 3 },
};

export const legal: LegalSettings = {
  form: 'sole proprietorship',
  proprietor: 'Example Owner (replace)',
  address: ['Building 00, Example Road', 'Example Locality, Kochi 682000', 'Kerala, India'],
  grievanceOfficer: {
    name: 'Example Officer (replace)',
    designation: 'Grievance Officer',
    email: 'grievance@kasavu.example',
    phone: '+91 484 000 0001',
    acknowledgesWithin: '48 hours',
    settlesWithin: 'one month',
  },
  courts: 'Ernakulam, Kerala',
  policiesUpdated: '2026-11-28',
};
