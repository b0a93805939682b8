// Written by src/integrations/list-features.ts from every netlify/features/*/login-check.ts.
import { check as secondFactor } from '../features/second-factor/login-check.ts';
import type { LoginCheck } from '../core/auth/login-check.ts';

export const loginChecks: readonly LoginCheck[] = [secondFactor];
