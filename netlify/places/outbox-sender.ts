// Written by src/integrations/list-features.ts from every netlify/features/*/outbox-sender.ts.
import { sender as push } from '../features/push/outbox-sender.ts';
import type { OutboxSender } from '../core/mail/outbox-sender.ts';

export const outboxSenders: readonly OutboxSender[] = [push];
