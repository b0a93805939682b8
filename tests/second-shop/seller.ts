import type { LegalSettings, SellerSettings } from '../shop-schema/shop-schema.ts';

export const seller: SellerSettings = {
  legalName: 'Rupali Deshpande Silver Works',
  tagline: 'Sterling silver from the lanes of Pune',
  description:
    'Anklets, toe rings, necklaces, earrings and rings of 925 silver, drawn and hammered in a small workshop in Pune and sent to every state of India.',
  contact: {
    emails: ['namaskar@rupali.example', 'workshop@rupali.example'],
    phone: '+91 20 4000 0000',
    whatsapp: '912040000000',
    address: 'Pune, Maharashtra',
    hours: ['Tue-Sat 10:30 AM-7:30 PM', 'Sun 11:00 AM-2:00 PM'],
  },
  founder: { name: 'Rupali Vasant Deshpande', role: 'Silversmith and owner' },
  answersWithin: 'one working day',
  mails: { fromStrangersPerDay: 120 },
};

export const legal: LegalSettings = {
  form: 'proprietary firm',
  proprietor: 'Rupali Vasant Deshpande',
  address: ['Workshop 7, Tulshibaug Lane', 'Budhwar Peth, Pune 411002', 'Maharashtra, India'],
  grievanceOfficer: {
    name: 'Vasant Raghunath Deshpande',
    designation: 'Grievance Officer',
    email: 'complaints@rupali.example',
    phone: '+91 20 4000 0001',
    acknowledgesWithin: '48 hours',
    settlesWithin: 'one month',
  },
  courts: 'Pune, Maharashtra',
  policiesUpdated: '2026-10-02',
};
