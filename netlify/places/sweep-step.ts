// Written by src/integrations/list-features.ts from every netlify/functions/*/sweep-step.ts.
import { step as stockAlerts } from '../functions/stock-alerts/sweep-step.ts';
import type { SweepStep } from '../server/scheduled/sweep-step.ts';

export const sweepSteps: readonly SweepStep[] = [stockAlerts];
