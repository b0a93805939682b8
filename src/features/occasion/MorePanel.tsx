import { occasionApi, type AdminOccasion } from './domain/occasion-api.ts';
import { formatDay } from '#domain/calendar-day.ts';
import { RemotePanel } from '#islands/admin/shared/RemotePanel.tsx';
import { OccasionForm } from './OccasionForm.tsx';

/** 'For Onam, Tue 18 Aug to Wed 26 Aug', beside the word that unfolds it. */
function describe(occasion: AdminOccasion): string {
  if (occasion === null) return 'none';
  const { heading, first_day: first, last_day: last } = occasion;
  return `${heading}, ${formatDay(Date.parse(first))} to ${formatDay(Date.parse(last))}`;
}

export const order = 20;

/** The occasion of the home page, folded until wanted. */
export function MorePanel() {
  return (
    <RemotePanel
      title="Occasion"
      failed="Failed to fetch the occasion"
      endpoint={occasionApi.read}
      summary={({ occasion }) => describe(occasion)}
    >
      {({ occasion }, { action, replace }) => (
        <OccasionForm
          key={JSON.stringify(occasion)}
          occasion={occasion}
          action={action}
          onSaved={replace}
        />
      )}
    </RemotePanel>
  );
}
