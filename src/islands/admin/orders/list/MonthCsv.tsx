import { useState } from 'react';
import { recentMonths } from '../../../../domain/india-dates.ts';
import { orderDocuments } from '../../../../services/admin/orders.ts';

/** The paid orders of a month as a file for the accountant. */
export function MonthCsv() {
  const [months] = useState(() => recentMonths(new Date(), 36));
  const [month, setMonth] = useState(months[0]?.value ?? '');
  return (
    <section className="mt-10 border-t border-line pt-6" aria-labelledby="csv-title">
      <h3 className="text-lg" id="csv-title">
        For the accountant
      </h3>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <div className="field min-w-48 flex-1 sm:max-w-xs">
          <label className="field-label" htmlFor="csv-month">
            Month
          </label>
          <select
            id="csv-month"
            className="field-input"
            value={month}
            onChange={(event) => {
              setMonth(event.currentTarget.value);
            }}
          >
            {months.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <a className="btn btn-secondary" href={orderDocuments.csv(month)} download>
          Download CSV
        </a>
      </div>
    </section>
  );
}
