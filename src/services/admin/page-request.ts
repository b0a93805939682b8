/** The requested part of a list: what follows `cursor`, or its beginning. */
export interface PageRequest {
  cursor: string | null;
  limit: number;
  signal?: AbortSignal | undefined;
}

/** The query of a part of a list, with its other parameters. */
export function pageQuery(
  query: Readonly<Record<string, string>>,
  { cursor, limit }: PageRequest,
): string {
  const page = { limit: String(limit), ...(cursor === null ? {} : { cursor }) };
  return new URLSearchParams({ ...query, ...page }).toString();
}
