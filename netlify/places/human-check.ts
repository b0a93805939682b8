// Written by src/integrations/list-features.ts from every netlify/features/*/human-check.ts.
import { requireHuman as securityCheck } from '../features/security-check/human-check.ts';
import type { HumanCheck } from '../core/forms/human-check.ts';

export const humanChecks: readonly HumanCheck[] = [securityCheck];
