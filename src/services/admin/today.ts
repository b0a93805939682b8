import { todaySchema, type Today } from '../../domain/admin/today.ts';
import { adminGet } from './api.ts';

/** What needs the admin's attention now. Throws AdminError. */
export function fetchToday(signal?: AbortSignal): Promise<Today> {
  return adminGet('/api/admin/today', todaySchema, signal);
}
