/* Firefox by WebDriver BiDi, over the WebSocket that it opens itself. Console errors are its own log events. */
import { once } from 'node:events';
import * as z from 'zod';
import { createProcesses, isInstalled, type Engine, type EngineKind } from './engine.ts';

const program = 'firefox-esr';

const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  result: z.unknown().optional(),
  params: z.unknown().optional(),
});
const entrySchema = z.object({ level: z.string(), text: z.string().nullable() });
const treeSchema = z.object({ contexts: z.tuple([z.object({ context: z.string() })]) });
const answerSchema = z.object({
  type: z.string(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
  result: z.unknown().optional(),
});
const textSchema = z.object({ value: z.string() });
const windowSchema = z.object({ value: z.object({ context: z.string() }) });
const nodesSchema = z.object({ nodes: z.tuple([z.object({ sharedId: z.string() })]) });
const pictureSchema = z.object({ data: z.string() });

type Send = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** Connects to the socket; console errors go into the list. */
async function connect(
  address: string,
  errors: string[],
): Promise<{ send: Send; end: () => void }> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (message: z.infer<typeof messageSchema>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = messageSchema.parse(JSON.parse(String(data)));
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === 'log.entryAdded') {
      const { level, text } = entrySchema.parse(message.params);
      if (level === 'error') errors.push(text ?? '');
    }
  });
  let last = 0;
  return {
    send: async (method, params) => {
      last += 1;
      const id = last;
      const answer = await new Promise<z.infer<typeof messageSchema>>((done) => {
        waiting.set(id, done);
        socket.send(JSON.stringify({ id, method, params }));
      });
      waiting.delete(id);
      if (answer.error !== undefined)
        throw new Error(`${method}: ${answer.error} ${answer.message ?? ''}`);
      return answer.result;
    },
    end: () => {
      socket.close();
    },
  };
}

/** Calls a function in a context; resolves to its value as BiDi writes it. */
async function callIn(
  send: Send,
  context: string,
  functionDeclaration: string,
  argument: string,
): Promise<unknown> {
  const answer = answerSchema.parse(
    await send('script.callFunction', {
      functionDeclaration,
      target: { context },
      arguments: [{ type: 'string', value: argument }],
      awaitPromise: false,
    }),
  );
  if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
  return answer.result;
}

async function startFirefox(): Promise<Engine> {
  const processes = await createProcesses();
  const child = processes.run(program, [
    ...['--headless', '--no-remote', '--profile', processes.folder],
    ...['--remote-debugging-port', '0', 'about:blank'],
  ]);
  const address = await new Promise<string>((done, fail) => {
    let written = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      written += chunk.toString();
      const found = /WebDriver BiDi listening on (?<address>ws:\S+)/u.exec(written);
      if (found?.groups?.['address'] !== undefined) done(found.groups['address']);
    });
    child.on('exit', () => {
      fail(new Error(`Firefox ended: ${written}`));
    });
  });
  const errors: string[] = [];
  const { send, end } = await connect(`${address}/session`, errors);
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const context = treeSchema.parse(await send('browsingContext.getTree', {})).contexts[0].context;
  const contextOf = async (frame: string | null): Promise<string> =>
    frame === null
      ? context
      : windowSchema.parse(
          await callIn(send, context, '(css) => document.querySelector(css).contentWindow', frame),
        ).value.context;
  return {
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    call: async (source, args, frame) => {
      const wrapped = `(json) => JSON.stringify((${source})(...JSON.parse(json)) ?? null)`;
      const answer = await callIn(send, await contextOf(frame), wrapped, JSON.stringify(args));
      const value: unknown = JSON.parse(textSchema.parse(answer).value);
      return value;
    },
    click: async ({ x, y }, frame) => {
      await send('input.performActions', {
        context: await contextOf(frame),
        actions: [
          {
            ...{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } },
            actions: [
              { type: 'pointerMove', x, y },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      });
    },
    type: async (keys) => {
      const actions = Array.from(keys).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('input.performActions', {
        context,
        actions: [{ type: 'key', id: 'keyboard', actions }],
      });
    },
    upload: async (selector, file) => {
      const found = await send('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
        maxNodeCount: 1,
      });
      const { sharedId } = nodesSchema.parse(found).nodes[0];
      await send('input.setFiles', { context, element: { sharedId }, files: [file] });
    },
    screenshot: async () =>
      Buffer.from(
        pictureSchema.parse(await send('browsingContext.captureScreenshot', { context })).data,
        'base64',
      ),
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    takeErrors: async () => Promise.resolve(errors.splice(0)),
    close: async () => {
      end();
      await processes.stop();
    },
  };
}

export const firefox: EngineKind = {
  name: 'firefox',
  missing: () =>
    isInstalled(program) ? null : 'Firefox is missing: install Debian’s package firefox-esr.',
  start: startFirefox,
};
