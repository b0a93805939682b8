import type { LoginCheck } from '../../server/auth/login-check.ts';
import { proveCode } from './factor.ts';

export const check: LoginCheck = proveCode;
