import { strToU8, zipSync } from 'fflate';
import { csvText } from '#domain/csv.ts';
import { gstr1Csv } from '#domain/invoice/gstr1/gstr1-csv.ts';
import { gstr1Json } from '#domain/invoice/gstr1/gstr1-json.ts';
import { gstr1Of } from '#domain/invoice/gstr1/gstr1.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { readReturnMonth } from './month-documents.ts';

/**
 * GSTR-1 of a month, '2026-11', as a ZIP file: a CSV file for each table of the offline tool, and all of it as JSON for the portal.
 * Throws 409 for a seller who issues bills of supply.
 */
export async function gstr1Zip(month: string): Promise<Response> {
  const { collectsTax, gstin } = taxStanding();
  if (!collectsTax || gstin === null)
    throw new HttpError(
      409,
      'not_possible',
      'You issue bills of supply without GST, which are in no GSTR-1.',
    );
  const tables = gstr1Of(await readReturnMonth(month));
  const files = Object.fromEntries(
    Array.from(gstr1Csv(tables), ([name, rows]) => [name, strToU8(csvText(rows))]),
  );
  const json = strToU8(JSON.stringify(gstr1Json(tables, gstin, month)));
  return new Response(zipSync({ ...files, 'gstr1.json': json }), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="gstr1-${month}.zip"`,
      'cache-control': 'no-store',
    },
  });
}
