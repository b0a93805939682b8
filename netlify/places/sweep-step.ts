// Written by src/integrations/list-features.ts from every netlify/features/*/sweep-step.ts.
import { step as cartMail } from '#netlify/features/cart-mail/sweep-step.ts';
import { step as cashOnDelivery } from '#netlify/features/cash-on-delivery/sweep-step.ts';
import { step as claims } from '#netlify/features/claims/sweep-step.ts';
import { step as reviews } from '#netlify/features/reviews/sweep-step.ts';
import { step as stockAlerts } from '#netlify/features/stock-alerts/sweep-step.ts';
import type { SweepStep } from '#core/scheduled/sweep-step.ts';

export const sweepSteps: readonly SweepStep[] = [
  cartMail,
  cashOnDelivery,
  claims,
  reviews,
  stockAlerts,
];
