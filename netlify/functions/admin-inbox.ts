import type { Config } from '@netlify/functions';
import { inboxMarkSchema } from '../../src/domain/admin/inbox.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { listInbox, markInbox, subscriberRows } from '../server/forms/inbox.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';
import { csvAnswer } from '../server/platform/http/csv-answer.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';

/** GET /api/admin/inbox?kind=messages|forms|subscribers&cursor=&limit=: a page of the inbox, newest first. */
const inbox = adminEndpoint({
  route: 'admin/inbox',
  handlers: {
    GET: async ({ url }) => json(await listInbox(url.searchParams)),
  },
});

/** POST /api/admin/inbox/messages/:id and /forms/:id: read or not, answered or not. */
const markIn = (kind: 'messages' | 'forms') =>
  adminEndpoint({
    route: 'admin/inbox/mark',
    handlers: {
      async POST({ request, context, addLogFields }) {
        const mark = await readJson(request, inboxMarkSchema);
        addLogFields({ kind });
        await markInbox(kind, context.params['id'], mark);
        return json({ ok: true });
      },
    },
  });

/** GET /api/admin/subscribers.csv: every address that subscribed to the newsletter, with its consent. */
const subscribersCsv = adminEndpoint({
  route: 'admin/subscribers.csv',
  handlers: {
    GET: async () => csvAnswer('subscribers.csv', await subscriberRows()),
  },
});

export default routeByAction(
  { messages: markIn('messages'), forms: markIn('forms'), 'subscribers.csv': subscribersCsv },
  inbox,
);

export const config: Config = {
  path: [
    '/api/admin/:action(inbox|subscribers\\.csv)',
    '/api/admin/inbox/:action(messages|forms)/:id',
  ],
};
