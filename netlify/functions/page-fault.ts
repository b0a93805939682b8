import type { Config } from '@netlify/functions';
import * as z from 'zod/mini';
import { browserOf } from '#core/platform/browser-of.ts';
import { limitCost } from '#core/platform/costs.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { readJson } from '#core/platform/http/request-body.ts';

const text = (max: number) => z.string().check(z.maxLength(max));
const faultSchema = z.object({ fault: text(200), place: text(120), page: text(200) });
const maxBytes = 2_000;

/** The kind of a page, such as '/product' or '/track'. The rest is left out, because it may be an order with its key. */
const kindOf = (page: string): string => /^\/[a-z-]*(?=\/|$)/u.exec(page)?.[0] ?? '';

/**
 * POST /api/page-fault {fault, place, page}: a page reports a fault of its program, which becomes one line of the log with the
 * browser's name and version. Nothing is stored. Anyone can call this, so it decides no health status.
 */
export default endpoint({
  route: 'page-fault',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    await limitCost('page_fault', { context });
    const { fault, place, page } = await readJson(request, faultSchema, maxBytes);
    const browser = browserOf(request.headers.get('user-agent') ?? '');
    addLogFields({ fault, place, page: kindOf(page), browser });
    return new Response(null, { status: 204 });
  },
});

export const config: Config = { path: '/api/page-fault' };
