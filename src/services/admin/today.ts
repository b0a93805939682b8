import { todayAnswerSchema, type TodayAnswer } from '../../domain/admin/today.ts';
import { adminGet } from './api.ts';

/** The tasks that need the admin's attention now; `today` is null while it is still the version that is known. Throws AdminError. */
export function fetchToday(
  knownVersion: string | null,
  signal?: AbortSignal,
): Promise<TodayAnswer> {
  const query =
    knownVersion === null ? '' : `?${new URLSearchParams({ known: knownVersion }).toString()}`;
  return adminGet(`/api/admin/today${query}`, todayAnswerSchema, signal);
}
