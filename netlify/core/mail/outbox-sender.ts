/** An entry of the outbox that is due. */
export interface OutboxEntry {
  kind: string;
  payload: unknown;
  order: unknown;
  subscription: unknown;
  dedupe_key: string;
}

/** Sends outbox entries of one kind otherwise than by mail. Features add theirs as `netlify/features/NAME/outbox-sender.ts`. */
export interface OutboxSender {
  kind: string;
  /** Throws when a retry may succeed. */
  send: (entry: OutboxEntry) => Promise<void>;
}
