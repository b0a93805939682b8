import { isBudgetLow } from '#domain/admin/publish.ts';
import { usePublishing } from './use-publishing.ts';

/** That most of the month's deploys are used. It comes late, so it stands below everything. */
export function DeploysNote() {
  const { data: state } = usePublishing();
  const deploys = state?.deploys ?? null;
  if (deploys === null || !isBudgetLow(deploys)) return null;
  return (
    <p className="mt-3.5 text-sm text-ink-700">
      {deploys.used} of this month’s {deploys.perMonth} deploys are used.{' '}
      <a className="link inline-block py-2.5" href="#more">
        Publish
      </a>
    </p>
  );
}
