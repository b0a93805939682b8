// Written by src/integrations/list-features.ts from every netlify/functions/*/outbox-sender.ts.
import { sender as push } from '../functions/push/outbox-sender.ts';
import type { OutboxSender } from '../server/mail/outbox-sender.ts';

export const outboxSenders: readonly OutboxSender[] = [push];
