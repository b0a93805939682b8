import type { AdminOccasion } from '../../../domain/admin/occasion-input.ts';
import { formatDay } from '../../../domain/calendar-day.ts';
import { fetchOccasion } from '../../../services/admin/catalogue/occasion.ts';
import { FoldedPanel, unreadSummary } from '../shared/FoldedPanel.tsx';
import { LoadFailed } from '../shared/LoadState.tsx';
import { useLoaded } from '../shared/use-loaded.ts';
import { OccasionForm } from './OccasionForm.tsx';

/** 'For Onam, Tue 18 Aug to Wed 26 Aug', beside the word that unfolds it. */
function describe(occasion: AdminOccasion): string {
  if (occasion === null) return 'none';
  const { heading, first_day: first, last_day: last } = occasion;
  return `${heading}, ${formatDay(Date.parse(first))} to ${formatDay(Date.parse(last))}`;
}

/** The occasion of the home page, folded until wanted. */
export function OccasionPanel() {
  const { data, error, loading, reload, replace } = useLoaded(fetchOccasion);
  return (
    <FoldedPanel
      title="Occasion"
      summary={data === null ? (error === null ? '' : unreadSummary) : describe(data.occasion)}
    >
      {error === null ? null : (
        <LoadFailed
          title="Failed to fetch the occasion"
          error={error}
          busy={loading}
          onRetry={reload}
        />
      )}
      {data === null ? (
        <div aria-busy={loading} />
      ) : (
        <OccasionForm
          key={JSON.stringify(data.occasion)}
          occasion={data.occasion}
          onSaved={replace}
        />
      )}
    </FoldedPanel>
  );
}
