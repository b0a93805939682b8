/* `npm run push-key`: makes the key that the shop's notifications are signed with, and prints it for VAPID_PRIVATE_KEY. */
import { createVapidKey } from '#netlify/features/push/vapid-key.ts';

process.stderr.write(
  'Set this as VAPID_PRIVATE_KEY. Keep it: with another one, every device must be turned on again.\n',
);
process.stdout.write(`${createVapidKey()}\n`);
