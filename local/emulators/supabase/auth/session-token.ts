import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a bearer token was signed with this secret and has not expired. */
function isValid(token: string, secret: string): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const wanted = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false;
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown };
  return typeof exp === 'number' && exp * 1000 > Date.now();
}

/**
 * The Data API's refusal of a token that nobody signed or that has expired, as PostgREST gives it; null when it may go on. The package
 * takes the caller for a visitor.
 */
export function refuseToken(request: Request, secret: string): Response | null {
  if (!new URL(request.url).pathname.startsWith('/rest/v1/')) return null;
  const [, token] =
    /^Bearer ([^.\s]+\.[^.\s]+\.[^.\s]*)$/iu.exec(request.headers.get('authorization') ?? '') ?? [];
  if (token === undefined || isValid(token, secret)) return null;
  return Response.json(
    { code: 'PGRST301', message: 'The token is not valid', details: null, hint: null },
    { status: 401 },
  );
}
