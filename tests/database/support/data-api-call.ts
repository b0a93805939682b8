/** A call of a table by the shop's own code. Features list theirs as `tests/features/NAME/data-api-calls.ts`. */
export interface DataApiCall {
  /** As `findCalls` names it. */
  name: string;
  caller: 'visitor' | 'customer' | 'stranger' | 'service';
  run: () => Promise<unknown>;
  /** The answers to visitor, customer and stranger for the same request. */
  answers: readonly [visitor: string, customer: string, stranger: string];
}

/** The answers of a table that nobody but the server may read. */
export const closed = ['42501', '42501', '42501'] as const;
