// Written by src/integrations/list-features.ts from every netlify/functions/*/delivered-letter.ts.
import { deliveredPart as claims } from '../functions/claims/delivered-letter.ts';
import type { PartsOfOrder } from '../server/mail/letter-kinds.ts';

export const deliveredParts: readonly PartsOfOrder[] = [claims];
