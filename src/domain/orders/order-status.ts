export interface OrderStatus {
  label: string;
  tone: 'green' | 'yellow' | 'red' | 'grey';
}

const completed: OrderStatus = { label: 'COMPLETED', tone: 'green' };
const pending: OrderStatus = { label: 'PENDING', tone: 'yellow' };
const failed: OrderStatus = { label: 'FAILED', tone: 'red' };
const normalStatus: ReadonlyMap<string, OrderStatus> = new Map([
  ['success', completed],
  ['captured', completed],
  ['completed', completed],
  ['pending', pending],
  ['created', pending],
  ['failed', failed],
  ['failure', failed],
]);

/** The status as displayed (spec section 4): known spellings in any case are normalised, missing is PENDING, others stay. */
export function orderStatus(raw: string | null | undefined): OrderStatus {
  const text = raw?.trim() ?? '';
  if (text === '') return pending;
  return normalStatus.get(text.toLowerCase()) ?? { label: text, tone: 'grey' };
}
