import { csvFileLimits } from '../../domain/admin/csv-table.ts';
import { AdminError } from './admin-error.ts';

const unusable = (message: string): AdminError => new AdminError(message, 0, 'unusable');

/** The text of a CSV file. Throws AdminError, which names how to save it. */
export async function readCsvFile(file: File): Promise<string> {
  if (file.size > csvFileLimits.bytes)
    throw unusable(
      'This file is larger than 2 MB. Please cut it in two, or look whether it is the right one.',
    );
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw unusable(
      'This is a workbook, not a CSV file. Open it and save it as “CSV UTF-8 (Comma delimited)”.',
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(
      'This file is not saved as UTF-8: ₹ and letters of other scripts would be lost. In Excel save it as “CSV UTF-8 (Comma delimited)”.',
    );
  }
}
