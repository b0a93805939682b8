import { subscribersFile } from '../../../src/domain/admin/inbox.ts';
import { respond } from '../../server/auth/admin-routes.ts';
import { subscriberRows } from '../../server/forms/inbox.ts';
import { csvAnswer } from '../../server/platform/http/csv-answer.ts';

export const routes = [
  // Every address that subscribed, with its consent.
  respond({ method: 'GET', path: subscribersFile }, async () =>
    csvAnswer('subscribers.csv', await subscriberRows()),
  ),
];
