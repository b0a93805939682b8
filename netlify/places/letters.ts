// Written by src/integrations/list-features.ts from every netlify/features/*/letters.ts.
import { letters as cartMail } from '#netlify/features/cart-mail/letters.ts';
import { letters as cashOnDelivery } from '#netlify/features/cash-on-delivery/letters.ts';
import { letters as claims } from '#netlify/features/claims/letters.ts';
import { letters as contact } from '#netlify/features/contact/letters.ts';
import { letters as newsletter } from '#netlify/features/newsletter/letters.ts';
import { letters as reviews } from '#netlify/features/reviews/letters.ts';
import { letters as stockAlerts } from '#netlify/features/stock-alerts/letters.ts';
import type { LetterKinds } from '#core/mail/letter-kinds.ts';

export const letters: readonly LetterKinds[] = [
  cartMail,
  cashOnDelivery,
  claims,
  contact,
  newsletter,
  reviews,
  stockAlerts,
];
