import type { OutboxSender } from '../../core/mail/outbox-sender.ts';
import { sendPush } from './send-push.ts';

export const sender: OutboxSender = { kind: 'push', send: sendPush };
