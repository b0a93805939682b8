/*
 * A process that stands in for AWS Lambda's Node runtime: it imports the entry of a bundle, as Lambda does, and calls
 * the handler that Netlify's bootstrap exports there. Invocations come as one message, each result goes back as one.
 * A rejection that nobody handles ends it, as it ends a Lambda.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

export interface Invocation {
  /** Names the result. */
  name: string;
  /** Absolute path of the file that the platform starts. */
  entry: string;
  method: string;
  path: string;
  /** The function's pattern that fits the path, as the platform found it. */
  route?: string;
  headers: Record<string, string>;
  body?: string;
}

/** The function's answer, or the error that it ended with. `milliseconds`: from reading its bundle to its answer. */
export type InvocationResult =
  | {
      name: string;
      status: number;
      headers: Record<string, string[]>;
      body: string;
      milliseconds: number;
    }
  | { name: string; error: string };

interface ResponseHead {
  statusCode: number;
  multiValueHeaders?: Record<string, string[]>;
}
type Handler = (event: object, response: PassThrough, context: object) => Promise<void>;

const heads = new WeakMap<PassThrough, ResponseHead>();

// The global that Lambda offers to handlers that stream their answer; Netlify's bootstrap is built on these two calls.
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => handler,
    HttpResponseStream: {
      from(stream: PassThrough, head: ResponseHead) {
        heads.set(stream, head);
        return stream;
      },
    },
  },
});

async function invoke({
  name,
  entry,
  method,
  path,
  route,
  headers,
  body,
}: Invocation): Promise<InvocationResult> {
  const start = performance.now();
  const { handler } = (await import(pathToFileURL(entry).href)) as { handler: Handler };
  const event = {
    rawUrl: `https://kasavu.example${path}`,
    path,
    route,
    httpMethod: method,
    headers,
    body,
    isBase64Encoded: false,
  };
  const context = { awsRequestId: name, clientContext: {}, getRemainingTimeInMillis: () => 10_000 };
  const response = new PassThrough();
  const received = text(response);
  await handler(event, response, context);
  const answer = await received;
  const head = heads.get(response);
  if (!head) throw new Error('The handler returned without an answer');
  return {
    name,
    status: head.statusCode,
    headers: head.multiValueHeaders ?? {},
    body: answer,
    milliseconds: performance.now() - start,
  };
}

process.on('message', (invocations: Invocation[]) => {
  void (async () => {
    for (const invocation of invocations) {
      const result = await invoke(invocation).catch((error: unknown): InvocationResult => ({
        name: invocation.name,
        error: String(error),
      }));
      process.send?.(result);
    }
    process.disconnect();
  })();
});
