import { formatDay, indiaCalendarDay } from '../../../domain/calendar-day.ts';
import type { NoticeInput } from '../../../domain/admin/notice-input.ts';
import { isActive, parseNotice } from '../../../domain/shop-notice.ts';
import { fetchAdminNotice } from '../../../services/admin/notice.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { NoticeForm } from './NoticeForm.tsx';

/** 'checkout closed until Sat 5 Dec': how the notice stands, beside the word that unfolds it. */
function describe(notice: NoticeInput | null): string {
  if (notice === null) return 'none';
  const effect = parseNotice(notice);
  const { extra_days: days, first_day: first, last_day: last } = effect;
  const what = effect.closes_checkout ? 'checkout closed' : `delivery ${String(days)} business ${days === 1 ? 'day' : 'days'} longer`;
  return isActive(effect, indiaCalendarDay(new Date())) ? `${what} until ${formatDay(last)}` : `${what} from ${formatDay(first)} to ${formatDay(last)}`;
}

/** The owner's notice to shoppers, folded until wanted. */
export function NoticePanel() {
  const { data, error, loading, reload, replace } = useLoaded(fetchNotice);
  const notice = data?.notice ?? null;
  return (
    <details className="group mb-4 border-b border-line open:pb-5">
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 text-sm/relaxed font-medium">
        Holiday notice
        <span className="font-normal text-ink-500">{data === null ? '' : describe(notice)}</span>
        <span className="ml-auto text-lg/relaxed text-gold-700" aria-hidden="true">
          <span className="group-open:hidden">+</span>
          <span className="hidden group-open:inline">–</span>
        </span>
      </summary>
      {error === null ? null : (
        <p className="notice notice-danger">
          {error}{' '}
          <button type="button" className="btn btn-secondary min-h-11" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {data === null ? (
        <div aria-busy={loading} />
      ) : (
        <NoticeForm
          key={JSON.stringify(notice)}
          notice={notice}
          onSaved={(saved) => {
            replace({ notice: saved });
          }}
        />
      )}
    </details>
  );
}

const fetchNotice = async (signal: AbortSignal): Promise<{ notice: NoticeInput | null }> => ({ notice: await fetchAdminNotice(signal) });
