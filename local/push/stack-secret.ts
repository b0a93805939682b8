import { createVapidKey } from '#netlify/features/push/vapid-key.ts';
import type { StackSecret } from '#local/data-folder/secrets.ts';

export const secret: StackSecret = {
  name: 'vapidPrivateKey',
  variable: 'VAPID_PRIVATE_KEY',
  create: createVapidKey,
};
