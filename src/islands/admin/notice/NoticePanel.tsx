import { indiaCalendarDay } from '../../../domain/calendar-day.ts';
import type { NoticeInput } from '../../../domain/admin/notice-input.ts';
import { noticeText } from '../../../domain/admin/notice-text.ts';
import { fetchAdminNotice } from '../../../services/admin/catalogue/notice.ts';
import { FoldedPanel, unreadSummary } from '../shared/FoldedPanel.tsx';
import { LoadFailed } from '../shared/LoadState.tsx';
import { useLoaded } from '../shared/use-loaded.ts';
import { NoticeForm } from './NoticeForm.tsx';

const describe = (notice: NoticeInput | null): string =>
  notice === null ? 'none' : noticeText(notice, indiaCalendarDay(new Date()));

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
