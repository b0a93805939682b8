import type { LoginCheck } from '../../core/auth/login-check.ts';
import { proveCode } from './factor.ts';

export const check: LoginCheck = proveCode;
