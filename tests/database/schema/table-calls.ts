/** Who asks the Data API. */
export type Caller = 'visitor' | 'customer' | 'stranger' | 'service';

/** A call of a table by the shop's own code. */
export interface TableCall {
  /** As `findCalls` names it. */
  name: string;
  caller: Caller;
  run: () => Promise<unknown>;
  /** The answers to visitor, customer and stranger for the same request. */
  answers: readonly [visitor: string, customer: string, stranger: string];
}

/** The calls of a feature, with the signed-in customer and a product's id. */
export type FeatureCalls = (made: {
  user: { id: string; email: string };
  product: string;
}) => readonly TableCall[];
