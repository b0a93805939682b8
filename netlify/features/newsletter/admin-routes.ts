import { subscribersFile } from '#domain/admin/inbox.ts';
import { respond } from '#core/auth/admin-routes.ts';
import { subscriberRows } from '#core/forms/inbox.ts';
import { csvAnswer } from '#core/platform/http/csv-answer.ts';

export const routes = [
  // Every address that subscribed, with its consent.
  respond({ method: 'GET', path: subscribersFile }, async () =>
    csvAnswer('subscribers.csv', await subscriberRows()),
  ),
];
