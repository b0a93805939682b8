/* Chromium by its own protocol (chromedevtools.github.io/devtools-protocol): old versions have no WebDriver beside them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { findChromium } from '#tests/browser/support/chromium.ts';
import {
  findPackagedChromium,
  installPackagedChromium,
  isPackagedForThisMachine,
  type PackagedChromium,
} from '#tests/browser/support/packaged-chromium.ts';
import { waitUntil, type Processes } from './processes.ts';
import type { EngineKind, Send } from './webdriver.ts';

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const answerSchema = z.object({
  id: z.number(),
  result: z.optional(z.record(z.string(), z.unknown())),
  error: z.optional(z.object({ message: z.string() })),
});
const remoteSchema = z.object({ value: z.optional(z.unknown()), objectId: z.optional(z.string()) });
const thrownSchema = z.object({ exception: z.optional(z.object({ description: z.string() })) });
const idSchema = z.object({ id: z.string() });

type Call = (method: string, params?: object) => Promise<Record<string, unknown>>;

/** Connects to one page of the browser. */
async function connectTo(address: string): Promise<Call> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  socket.addEventListener('message', ({ data }) => {
    const answer = answerSchema.safeParse(JSON.parse(String(data))).data;
    if (!answer) return;
    const { id, result, error } = answer;
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result ?? {});
    waiting.delete(id);
  });
  await new Promise((resolve) => {
    socket.addEventListener('open', resolve);
  });
  let last = 0;
  return (method, params = {}) => {
    last += 1;
    const answer = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(last, answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise;
  };
}

/** The commands of WebDriver in the words of this protocol. */
function commandsOf(call: Call): Send {
  /** The frame that scripts run in; undefined for the page itself. */
  let contextId: number | undefined;
  const evaluate = async (expression: string, returnByValue = true) => {
    const asked = { expression, returnByValue, userGesture: true };
    const { result, exceptionDetails } = await call('Runtime.evaluate', {
      ...asked,
      ...(contextId === undefined ? {} : { contextId }),
    });
    if (exceptionDetails !== undefined)
      throw new Error(thrownSchema.parse(exceptionDetails).exception?.description ?? 'It threw');
    return remoteSchema.parse(result);
  };
  const onElement = async (objectId: unknown, functionDeclaration: string) => {
    const { result } = await call('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      returnByValue: true,
    });
    return remoteSchema.parse(result).value;
  };
  const enterFrame = async (element: unknown): Promise<void> => {
    contextId = undefined;
    if (element === null) return;
    const objectId = z.record(z.string(), z.string()).parse(element)[elementKey];
    const { node } = await call('DOM.describeNode', { objectId });
    const { frameId } = z.object({ frameId: z.string() }).parse(node);
    const world = await call('Page.createIsolatedWorld', { frameId });
    contextId = z.number().parse(world['executionContextId']);
  };
  const click = async (objectId: unknown): Promise<void> => {
    const place = await onElement(
      objectId,
      `function () {
        this.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        const { x, y, width, height } = this.getClientRects()[0];
        return { x: x + width / 2, y: y + height / 2 };
      }`,
    );
    const { x, y } = z.object({ x: z.number(), y: z.number() }).parse(place);
    const press = { x, y, button: 'left', clickCount: 1 };
    await call('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    await call('Input.dispatchMouseEvent', { type: 'mousePressed', ...press });
    await call('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press });
  };
  const type = async (objectId: unknown, text: string): Promise<void> => {
    const isFile = await onElement(objectId, "function () { return this.type === 'file'; }");
    if (isFile === true) {
      await call('DOM.setFileInputFiles', { objectId, files: [text] });
      return;
    }
    // Keys stand in Unicode's private part, as WebDriver writes them: here only those that empty a field.
    const typed = text.replace(/^\u{E009}a\u{E009}\u{E003}/u, '');
    await onElement(
      objectId,
      `function () { this.focus(); ${typed === text ? '' : 'this.select();'} }`,
    );
    const backspace = { key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8 };
    if (typed !== text)
      for (const kind of ['rawKeyDown', 'keyUp'])
        await call('Input.dispatchKeyEvent', { type: kind, ...backspace });
    for (const letter of typed) await call('Input.insertText', { text: letter });
  };
  return async (command, body = {}) => {
    switch (command) {
      case 'POST /url':
        await call('Page.navigate', { url: body['url'] });
        return null;
      case 'POST /execute/sync':
        return (
          await evaluate(
            `(function () { ${String(body['script'])} }).apply(null, ${JSON.stringify(body['args'] ?? [])})`,
          )
        ).value;
      case 'POST /element': {
        const selector = JSON.stringify(body['value']);
        const { objectId } = await evaluate(`document.querySelector(${selector})`, false);
        if (objectId === undefined) throw new Error(`There is no ${selector}`);
        return { [elementKey]: objectId };
      }
      case 'POST /element/:id/click':
        await click(idSchema.parse(body).id);
        return null;
      case 'POST /element/:id/value':
        await type(idSchema.parse(body).id, String(body['text']));
        return null;
      case 'POST /frame':
        await enterFrame(body['id']);
        return null;
      case 'POST /window/rect': {
        const { width, height } = body;
        const size = { width, height, deviceScaleFactor: 1, mobile: false };
        await call('Emulation.setDeviceMetricsOverride', size);
        return null;
      }
      case 'GET /screenshot':
        return (await call('Page.captureScreenshot'))['data'];
      // One page has no toolbar here, and is as good as a popup.
      case 'GET /window':
        return 'first';
      case 'GET /window/handles':
        return ['first', 'page'];
      case 'POST /window':
        return null;
    }
  };
}

/** A Chromium of this machine, or the package's version; `before` runs in each page before its own scripts. */
export function chromiumKind(
  name: string,
  packaged: PackagedChromium | null,
  before = '',
): EngineKind {
  const find = () => (packaged === null ? findChromium() : findPackagedChromium(packaged));
  return {
    name,
    missing: () => {
      if (packaged !== null && isPackagedForThisMachine) installPackagedChromium(packaged);
      if (find() !== null) return null;
      return packaged === null
        ? 'Chromium is missing: install one, or set CHROMIUM_PATH.'
        : `npm has Chromium ${packaged.version} for Linux x64 alone.`;
    },
    start: async ({ folder, run }: Processes) => {
      run(find() ?? '', [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'],
        ...['--disable-dev-shm-usage', '--no-first-run', `--user-data-dir=${folder}`],
        // The payment window is a frame of the same page then, and has one connection with it.
        ...[
          '--disable-site-isolation-trials',
          '--disable-features=IsolateOrigins,site-per-process',
        ],
        // A process of its own for the network loses the cookies when it restarts (seen in 109).
        '--enable-features=NetworkServiceInProcess,NetworkServiceInProcess2',
        // A phone shows no scrollbars.
        '--hide-scrollbars',
        'about:blank',
      ]);
      const address = await waitUntil(name, async () => {
        const port = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n')[0];
        const pages = await fetch(`http://127.0.0.1:${port ?? ''}/json/list`);
        return z
          .array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }))
          .parse(await pages.json())
          .find((page) => page.type === 'page')?.webSocketDebuggerUrl;
      });
      const call = await connectTo(address);
      await call('Page.enable');
      await call('Page.addScriptToEvaluateOnNewDocument', { source: before });
      return commandsOf(call);
    },
    error: null,
  };
}
