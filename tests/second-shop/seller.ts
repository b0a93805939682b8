import type { LegalSettings, SellerSettings } from '#shop-schema/shop-schema.ts';

export const seller: SellerSettings = {
  legalName: "Maya Kumhar & Sons' Terracotta",
  tagline: 'Terracotta from the potters of Molela',
  description:
    'Jhumke, malas, payal and bangles of terracotta, pressed, fired and painted by hand in Molela and sent to every state of India.',
  contact: {
    emails: ['namaste@mayaclay.example', 'kiln@mayaclay.example'],
    phone: '+91 2952 400 000',
    whatsapp: '912952400000',
    address: 'Molela, Rajasthan',
    hours: ['Tue-Sat 10:30 AM-7:30 PM', 'Sun 11:00 AM-2:00 PM'],
  },
  founder: { name: 'Maya Devi Kumhar', role: 'Potter and owner' },
  answersWithin: 'one working day',
  mails: { fromStrangersPerDay: 120, leftCartAfterHours: 5 },
};

export const legal: LegalSettings = {
  form: 'proprietary firm',
  proprietor: 'Maya Devi Kumhar',
  address: ["Potters' Lane 7 & 8", 'Molela, Rajsamand 313321', 'Rajasthan, India'],
  grievanceOfficer: {
    name: 'Dinesh Lal Kumhar',
    designation: 'Grievance Officer',
    email: 'complaints@mayaclay.example',
    phone: '+91 2952 400 001',
    acknowledgesWithin: '24 hours',
    settlesWithin: 'three weeks',
  },
  courts: 'Rajsamand, Rajasthan',
  policiesUpdated: '2026-10-02',
};
