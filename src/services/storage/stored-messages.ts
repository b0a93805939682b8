import * as v from '../../domain/validate.ts';
import { shop } from '../../shop.config.ts';
import { storedJson } from './stored-json.ts';

/** Messages older than this (ms) are dropped: their page was never left. */
const maxAgeMs = 15_000;

/** A message for the next page of this tab. */
export interface StoredMessage {
  title: string;
  description?: string | undefined;
  tone?: 'default' | 'success' | 'destructive';
  durationMs?: number;
}

const parseStored = v.object({
  title: v.string,
  description: v.withDefault(v.string, undefined),
  tone: (value) => (value === 'success' || value === 'destructive' ? value : 'default'),
  durationMs: v.withDefault(v.number, shop.toastMs.usual),
  until: v.number,
});

function parseMessage(entry: unknown): StoredMessage[] {
  try {
    const { until, ...message } = parseStored(entry);
    return until < Date.now() ? [] : [message];
  } catch {
    return [];
  }
}

// Without storage, the message is shown on this page only.
const stored = storedJson<unknown[]>(
  'session',
  'kasavu:toasts',
  v.array((entry) => entry),
);

/** Stores a message for the next page. */
export function storeMessage(message: StoredMessage): void {
  const entries = [...(stored.read() ?? []), { ...message, until: Date.now() + maxAgeMs }];
  stored.write(entries.slice(-3));
}

/** Takes the messages of the previous page. */
export function takeStoredMessages(): StoredMessage[] {
  const messages = (stored.read() ?? []).flatMap(parseMessage);
  stored.forget();
  return messages;
}
