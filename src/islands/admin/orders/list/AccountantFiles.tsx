import { useState } from 'react';
import { recentMonths } from '#domain/india-dates.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import { orderDocuments } from '#services/admin/orders/orders.ts';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';

const { collectsTax } = taxStanding();
const files = [
  {
    label: collectsTax ? 'Invoices and credit notes' : 'Bills and credit notes',
    kind: 'CSV',
    address: orderDocuments.accounts,
  },
  ...(collectsTax ? [{ label: 'GSTR-1', kind: 'ZIP', address: orderDocuments.gstr1 }] : []),
];

/** A month as files for the accountant: its documents line by line, and for who collects GST the return of them, GSTR-1. */
export function AccountantFiles() {
  const [months] = useState(() => recentMonths(new Date(), 36));
  const [month, setMonth] = useState(months[0]?.value ?? '');
  return (
    <section className="mt-10 border-t border-line pt-6" aria-labelledby="accountant-title">
      <h3 className="text-lg" id="accountant-title">
        For the accountant
      </h3>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <SelectField
          label="Month"
          className="min-w-48 flex-1 sm:max-w-xs"
          value={month}
          options={months.map(({ value, label }) => [value, label] as const)}
          onValue={setMonth}
        />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {files.map(({ label, kind, address }) => (
          <a key={label} className="btn btn-secondary btn-small" href={address(month)} download>
            {label}
            <span className="visually-hidden"> ({kind})</span>
          </a>
        ))}
      </div>
      <p className="mt-3 text-sm text-ink-500">
        Each document is listed once, in the month of its date. Orders without{' '}
        {collectsTax ? 'an invoice' : 'a bill'} are not listed.
        {collectsTax
          ? ' GSTR-1 has a CSV file for each table of the offline tool, and all of it as JSON for the GST portal.'
          : ' You issue bills of supply without GST, so there is no GSTR-1.'}
      </p>
    </section>
  );
}
