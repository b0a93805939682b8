/** The callers of the Data API. */
export type Caller = 'visitor' | 'customer' | 'stranger' | 'service';

/** A call of a table by the shop's own code. */
export interface TableCall {
  /** The name that `findCalls` gives it. */
  name: string;
  caller: Caller;
  run: () => Promise<unknown>;
  /** The answers to visitor, customer and stranger for the same request. */
  answers: readonly [visitor: string, customer: string, stranger: string];
}

/** The answers of a table that nobody but the server may read. */
export const closed = ['42501', '42501', '42501'] as const;

/** The calls of a feature, with the signed-in customer, the ids of a product, and of a paid order that is sent. */
export type FeatureCalls = (made: {
  user: { id: string; email: string };
  product: string;
  order: number;
}) => readonly TableCall[];
