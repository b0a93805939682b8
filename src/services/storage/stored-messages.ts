import * as v from '../../domain/validate.ts';
import { storedJson } from './stored-json.ts';

/** A message older than this belongs to a page that was never left. */
const maxAgeMs = 15_000;

/** A message on its way to the next page of this tab. */
export interface StoredMessage {
  title: string;
  description?: string;
  tone?: 'default' | 'success' | 'destructive';
  durationMs?: number;
}

function parseMessage(entry: unknown): StoredMessage[] {
  if (typeof entry !== 'object' || entry === null || !('title' in entry) || !('until' in entry)) return [];
  const { title, until } = entry;
  if (typeof title !== 'string' || typeof until !== 'number' || until < Date.now()) return [];
  const description = 'description' in entry && typeof entry.description === 'string' ? entry.description : null;
  const tone = 'tone' in entry && (entry.tone === 'success' || entry.tone === 'destructive') ? entry.tone : 'default';
  const durationMs = 'durationMs' in entry && typeof entry.durationMs === 'number' ? entry.durationMs : null;
  return [{ title, tone, ...(description === null ? {} : { description }), ...(durationMs === null ? {} : { durationMs }) }];
}

// What cannot be kept is seen on this page alone.
const stored = storedJson<unknown[]>('session', 'kasavu:toasts', v.array((entry) => entry));

/** Keeps a message for the next page. */
export function storeMessage(message: StoredMessage): void {
  const entries = [...(stored.read() ?? []), { ...message, until: Date.now() + maxAgeMs }];
  stored.write(entries.slice(-3));
}

/** The messages kept by the page before, each once. */
export function takeStoredMessages(): StoredMessage[] {
  const messages = (stored.read() ?? []).flatMap(parseMessage);
  stored.forget();
  return messages;
}
