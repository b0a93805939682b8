import { todayApi, type TodayAnswer } from '../../domain/admin/today.ts';
import { callAdmin } from './api.ts';

/** The tasks that need the admin's attention now; `today` is null while it is still the version that is known. Throws AdminError. */
export const fetchToday = (
  knownVersion: string | null,
  signal?: AbortSignal,
): Promise<TodayAnswer> =>
  callAdmin(todayApi.read, {
    query: knownVersion === null ? {} : { known: knownVersion },
    signal,
  });
