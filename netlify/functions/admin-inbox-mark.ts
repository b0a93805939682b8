import type { Config } from '@netlify/functions';
import { inboxMarkSchema } from '../../src/domain/admin/inbox.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { markInbox } from '../server/forms/inbox.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';

/** POST /api/admin/inbox/messages/:id and /forms/:id: read or not, answered or not. */
export default adminEndpoint({
  route: 'admin/inbox/mark',
  handlers: {
    async POST({ request, url, addLogFields }) {
      const [, kind, id] = /^\/api\/admin\/inbox\/(messages|forms)\/([^/]+)\/?$/u.exec(url.pathname) ?? [];
      if (kind !== 'messages' && kind !== 'forms') throw new HttpError(404, 'not_found', 'This message is no longer there.');
      const mark = await readJson(request, inboxMarkSchema);
      addLogFields({ kind });
      await markInbox(kind, id, mark);
      return json({ ok: true });
    },
  },
});

export const config: Config = { path: ['/api/admin/inbox/messages/:id', '/api/admin/inbox/forms/:id'] };
