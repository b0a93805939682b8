import { inboxApi } from '../../../src/domain/admin/inbox.ts';
import { answer, respond } from '../../server/auth/admin-routes.ts';
import { listInbox, markInbox } from '../../server/forms/inbox.ts';
import { json } from '../../server/platform/http/http.ts';
import { HttpError } from '../../server/platform/http/http-error.ts';

export const routes = [
  // `kind` is messages, forms or subscribers.
  respond(inboxApi.messages, async ({ url }) => json(await listInbox(url.searchParams))),
  answer(inboxApi.mark, async ({ params, body, addLogFields }) => {
    const { kind, id } = params;
    if (kind !== 'messages' && kind !== 'forms')
      throw new HttpError(404, 'not_found', 'There is no such list.');
    addLogFields({ kind });
    await markInbox(kind, id, body);
    return { ok: true };
  }),
];
