import { formatDay, indiaCalendarDay } from '../../../domain/calendar-day.ts';
import type { NoticeInput } from '../../../domain/admin/notice-input.ts';
import { isActive, parseNotice } from '../../../domain/shop-notice.ts';
import { fetchAdminNotice } from '../../../services/admin/catalogue/notice.ts';
import { FoldedPanel, unreadSummary } from '../shared/FoldedPanel.tsx';
import { LoadFailed } from '../shared/LoadState.tsx';
import { useLoaded } from '../shared/use-loaded.ts';
import { NoticeForm } from './NoticeForm.tsx';

/** 'checkout closed until Sat 5 Dec': how the notice stands, beside the word that unfolds it. */
function describe(notice: NoticeInput | null): string {
  if (notice === null) return 'none';
  const effect = parseNotice(notice);
  const { extra_days: days, first_day: first, last_day: last } = effect;
  const what = effect.closes_checkout
    ? 'checkout closed'
    : `delivery ${String(days)} business ${days === 1 ? 'day' : 'days'} longer`;
  return isActive(effect, indiaCalendarDay(new Date()))
    ? `${what} until ${formatDay(last)}`
    : `${what} from ${formatDay(first)} to ${formatDay(last)}`;
}

/** The owner's notice to customers, folded until wanted. */
export function NoticePanel() {
  const { data, error, loading, reload, replace } = useLoaded(fetchNotice);
  const notice = data?.notice ?? null;
  return (
    <FoldedPanel
      title="Holiday notice"
      summary={data === null ? (error === null ? '' : unreadSummary) : describe(notice)}
    >
      {error === null ? null : (
        <LoadFailed
          title="Failed to fetch the notice"
          error={error}
          busy={loading}
          onRetry={reload}
        />
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
    </FoldedPanel>
  );
}

const fetchNotice = async (signal: AbortSignal): Promise<{ notice: NoticeInput | null }> => ({
  notice: await fetchAdminNotice(signal),
});
