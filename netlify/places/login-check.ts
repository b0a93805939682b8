// Written by src/integrations/list-features.ts from every netlify/functions/*/login-check.ts.
import { check as secondFactor } from '../functions/second-factor/login-check.ts';
import type { LoginCheck } from '../server/auth/login-check.ts';

export const loginChecks: readonly LoginCheck[] = [secondFactor];
