// Written by src/integrations/list-features.ts from every netlify/functions/*/human-check.ts.
import { requireHuman as securityCheck } from '../functions/security-check/human-check.ts';
import type { HumanCheck } from '../server/forms/human-check.ts';

export const humanChecks: readonly HumanCheck[] = [securityCheck];
