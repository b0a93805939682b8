// Written by src/integrations/list-features.ts from every netlify/features/*/letters.ts.
import { letters as cartMail } from '../features/cart-mail/letters.ts';
import { letters as cashOnDelivery } from '../features/cash-on-delivery/letters.ts';
import { letters as claims } from '../features/claims/letters.ts';
import { letters as contact } from '../features/contact/letters.ts';
import { letters as newsletter } from '../features/newsletter/letters.ts';
import { letters as reviews } from '../features/reviews/letters.ts';
import { letters as stockAlerts } from '../features/stock-alerts/letters.ts';
import type { LetterKinds } from '../core/mail/letter-kinds.ts';

export const letters: readonly LetterKinds[] = [
  cartMail,
  cashOnDelivery,
  claims,
  contact,
  newsletter,
  reviews,
  stockAlerts,
];
