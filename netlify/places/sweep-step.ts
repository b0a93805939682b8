// Written by src/integrations/list-features.ts from every netlify/features/*/sweep-step.ts.
import { step as cartMail } from '../features/cart-mail/sweep-step.ts';
import { step as cashOnDelivery } from '../features/cash-on-delivery/sweep-step.ts';
import { step as claims } from '../features/claims/sweep-step.ts';
import { step as reviews } from '../features/reviews/sweep-step.ts';
import { step as stockAlerts } from '../features/stock-alerts/sweep-step.ts';
import type { SweepStep } from '../core/scheduled/sweep-step.ts';

export const sweepSteps: readonly SweepStep[] = [
  cartMail,
  cashOnDelivery,
  claims,
  reviews,
  stockAlerts,
];
