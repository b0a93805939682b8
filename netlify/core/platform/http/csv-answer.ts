import { csvText } from '#domain/csv.ts';

/** A CSV download. */
export function csvAnswer(fileName: string, rows: Parameters<typeof csvText>[0]): Response {
  return new Response(csvText(rows), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    },
  });
}
