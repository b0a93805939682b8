const textTypes = new Set([
  'application/csp-report',
  'application/graphql',
  'application/json',
  'application/javascript',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/xml',
]);

/**
 * The same request, its body in the form that `@netlify/dev` expects: it reads every body as text and then takes the
 * text of binary types for base64. The function receives the exact bytes, as it does in production.
 */
export async function readableBody(request: Request): Promise<Request> {
  if (request.body === null || isText(request.headers.get('content-type') ?? '')) return request;
  const bytes = Buffer.from(await request.arrayBuffer());
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.from(bytes.toString('base64')),
  });
}

function isText(contentType: string): boolean {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return type.startsWith('text/') || /\+(?:json|xml)$/u.test(type) || textTypes.has(type);
}
