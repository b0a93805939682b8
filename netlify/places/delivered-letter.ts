// Written by src/integrations/list-features.ts from every netlify/features/*/delivered-letter.ts.
import { deliveredPart as claims } from '../features/claims/delivered-letter.ts';
import type { PartsOfOrder } from '../core/mail/letter-kinds.ts';

export const deliveredParts: readonly PartsOfOrder[] = [claims];
