import * as v from '#domain/validate.ts';
import { messagesKey } from './has-stored-messages.ts';
import { storedJson } from './stored-json.ts';

/** Messages older than this (ms) are dropped: their page was never left. A page may take as long on a slow connection. */
const maxAgeMs = 60_000;

/** A message for the next page of this tab. */
export interface StoredMessage {
  title: string;
  description?: string | undefined;
  tone?: 'default' | 'success' | 'destructive';
}

const parseStored = v.object({
  title: v.string,
  description: v.withDefault(v.string, undefined),
  tone: (value) => (value === 'success' || value === 'destructive' ? value : 'default'),
  until: v.number,
  /** The `performance.timeOrigin` of the document that stored it. */
  from: v.withDefault(v.number, 0),
});
type StoredEntry = ReturnType<typeof parseStored>;

function parseEntry(entry: unknown): StoredEntry[] {
  try {
    const message = parseStored(entry);
    return message.until < Date.now() ? [] : [message];
  } catch {
    return [];
  }
}

// Without storage, the message is shown on this page only.
const stored = storedJson<readonly StoredEntry[]>('session', messagesKey, (value) =>
  v
    .array((entry) => entry)(value)
    .flatMap(parseEntry),
);

const isOwn = ({ from }: StoredEntry): boolean => from === performance.timeOrigin;

function storeEntries(entries: readonly StoredEntry[]): void {
  if (entries.length === 0) stored.forget();
  else stored.write(entries.slice(-3));
}

/** Stores a message for the next page. */
export function storeMessage(message: StoredMessage): void {
  const entry = parseStored({
    ...message,
    until: Date.now() + maxAgeMs,
    from: performance.timeOrigin,
  });
  storeEntries([...(stored.read() ?? []), entry]);
}

/** Takes the messages of the previous page. Those that this document stored wait for the next one. */
export function takeStoredMessages(): StoredMessage[] {
  const entries = stored.read() ?? [];
  storeEntries(entries.filter(isOwn));
  return entries
    .filter((entry) => !isOwn(entry))
    .map(({ until: _until, from: _from, ...message }) => message);
}
