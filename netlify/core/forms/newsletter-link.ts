import * as z from 'zod/mini';
import { HttpError } from '#core/platform/http/http-error.ts';
import { failureFields } from '#core/platform/http/http.ts';
import { plainPage } from '#core/platform/http/page.ts';
import { logLine } from '#core/platform/log.ts';

/** The token of a link in a newsletter mail. Throws 400 for a truncated link, because "done" would be untrue. */
export function readToken(request: Request): string {
  const token = z.uuid().safeParse(new URL(request.url).searchParams.get('token'));
  if (token.success) return token.data;
  throw new HttpError(
    400,
    'invalid_request',
    'This link is incomplete. Please open the complete link from the mail.',
  );
}

const titles: Readonly<Record<number, string>> = {
  400: 'This link is incomplete',
  404: 'This link does not work any more',
};

/** Handles a button of src/pages/newsletter: redirects to `done`, or shows a page with the reason. */
export async function answerWithPage(
  done: string,
  work: () => Promise<unknown>,
): Promise<Response> {
  try {
    await work();
    return new Response(null, { status: 303, headers: { location: done } });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The request's own line has the status only.
    if (error.status >= 500) logLine({ task: 'page', ...failureFields(error) });
    return plainPage(error.status, titles[error.status] ?? 'Just a moment', error.message, {
      path: '/',
      text: 'Back to Home',
    });
  }
}
