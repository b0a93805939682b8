/** The requested part of a list: what follows `cursor`, or its beginning. */
export interface PageRequest {
  cursor: string | null;
  limit: number;
  signal?: AbortSignal | undefined;
}

/** A hundred rows are the most that one request may ask for. */
const maxPageSize = 100;

/** The first `count` rows of a list, with what its first part says of the whole. One request for each hundred. */
export async function fetchFirst<P extends { items: readonly unknown[]; next: string | null }>(
  load: (page: PageRequest) => Promise<P>,
  count: number,
  signal: AbortSignal,
): Promise<P> {
  const first = await load({ cursor: null, limit: Math.min(count, maxPageSize), signal });
  const items = [...first.items];
  let { next } = first;
  while (next !== null && items.length < count) {
    const part = await load({
      cursor: next,
      limit: Math.min(count - items.length, maxPageSize),
      signal,
    });
    items.push(...part.items);
    next = part.next;
  }
  return { ...first, items, next };
}

/** The query of a part of a list, with its other parameters. */
export function pageQuery(
  query: Readonly<Record<string, string>>,
  { cursor, limit }: PageRequest,
): string {
  const page = { limit: String(limit), ...(cursor === null ? {} : { cursor }) };
  return new URLSearchParams({ ...query, ...page }).toString();
}
