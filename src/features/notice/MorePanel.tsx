import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { noticeApi } from './domain/notice-api.ts';
import { noticeText } from '#domain/admin/notice.ts';
import { RemotePanel } from '#islands/admin/shared/RemotePanel.tsx';
import { NoticeForm } from './NoticeForm.tsx';

export const order = 30;

/** The owner's notice to customers, folded until wanted. */
export function MorePanel() {
  return (
    <RemotePanel
      title="Holiday notice"
      failed="Failed to fetch the notice"
      endpoint={noticeApi.read}
      summary={({ notice }) =>
        notice === null ? 'none' : noticeText(notice, indiaCalendarDay(new Date()))
      }
    >
      {({ notice }, { action, replace }) => (
        <NoticeForm
          key={JSON.stringify(notice)}
          notice={notice}
          action={action}
          onSaved={(saved) => replace({ notice: saved })}
        />
      )}
    </RemotePanel>
  );
}
