import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { endSession } from '../server/auth/admin-session.ts';
import { json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';

const logoutSchema = z.object({ everywhere: z.optional(z.boolean()) });

/** POST /api/admin/logout: ends this session on the server, or with `everywhere` all of them. */
export default adminEndpoint({
  route: 'admin/logout',
  handlers: {
    async POST({ request, session, addLogFields }) {
      const { everywhere = false } = await readJson(request, logoutSchema);
      addLogFields({ everywhere });
      const response = json({ loggedOut: true });
      response.headers.append('set-cookie', await endSession(session, everywhere));
      return response;
    },
  },
});

export const config: Config = { path: '/api/admin/logout' };
