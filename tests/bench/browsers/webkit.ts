/*
 * WebKitGTK's MiniBrowser by WebDriver over HTTP, on a virtual screen. The protocol has no event for the console, so
 * MiniBrowser writes it to its output, where the lines of errors are read.
 */
import { once } from 'node:events';
import { readdirSync, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { freePort } from '../embedded-stack.ts';
import {
  createProcesses,
  isInstalled,
  waitUntil,
  type Engine,
  type EngineKind,
  type Processes,
} from './engine.ts';

const libraries = '/usr/lib/x86_64-linux-gnu';
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Debian puts MiniBrowser beside the library, off the PATH. */
function findMiniBrowser(): string | undefined {
  if (!existsSync(libraries)) return undefined;
  return readdirSync(libraries)
    .filter((name) => name.startsWith('webkit2gtk-'))
    .map((name) => join(libraries, name, 'MiniBrowser'))
    .findLast((file) => existsSync(file));
}

function missing(): string | null {
  if (!isInstalled('WebKitWebDriver'))
    return 'WebKit’s driver is missing: install Debian’s package webkit2gtk-driver.';
  if (findMiniBrowser() === undefined)
    return 'WebKit’s MiniBrowser is missing: install Debian’s package libwebkit2gtk-4.1-0.';
  return isInstalled('Xvfb')
    ? null
    : 'The virtual screen is missing: install Debian’s package xvfb.';
}

/** Starts a virtual screen that is larger than every window; resolves to its display. */
async function startScreen(processes: Processes): Promise<string> {
  const screen = processes.run('Xvfb', [
    ...['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
  ]);
  const pipe = screen.stdio[3];
  if (!pipe) throw new Error('Xvfb has no pipe for its display');
  const [chunk] = z.tuple([z.instanceof(Buffer)]).parse(await once(pipe, 'data'));
  return `:${chunk.toString().trim()}`;
}

type Send = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

const elementSchema = z.object({ [elementKey]: z.string() });
const pointSchema = z.object({ x: z.number(), y: z.number() });

async function startSession(
  send: Send,
  binary: string,
): Promise<{ session: Send; inner: () => Promise<{ x: number; y: number }> }> {
  const { sessionId } = z.object({ sessionId: z.string() }).parse(
    await send('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': {
            binary,
            args: [
              '--automation',
              '--javascript-can-open-windows-automatically=true',
              '--enable-write-console-messages-to-stdout=true',
            ],
          },
        },
      },
    }),
  );
  const session: Send = async (method, path, body) =>
    send(method, `/session/${sessionId}${path}`, body);
  // The first window has a toolbar that is wider than a phone; a popup has none.
  const first = await session('GET', '/window');
  await session('POST', '/execute/sync', {
    script: 'window.open("about:blank", "walk", "width=390,height=844,popup")',
    args: [],
  });
  const handle = await waitUntil('the popup', async () =>
    z
      .array(z.string())
      .parse(await session('GET', '/window/handles'))
      .find((each) => each !== first),
  );
  await session('POST', '/window', { handle });
  return {
    session,
    inner: async () =>
      pointSchema.parse(
        await session('POST', '/execute/sync', {
          script: 'return { x: innerWidth, y: innerHeight }',
          args: [],
        }),
      ),
  };
}

async function startWebKit(): Promise<Engine> {
  const processes = await createProcesses();
  const { folder } = processes;
  const log = join(folder, 'console.log');
  const wrapper = join(folder, 'browser.sh');
  await writeFile(log, '');
  await writeFile(wrapper, `#!/bin/sh\nexec ${findMiniBrowser() ?? ''} "$@" >>${log} 2>&1\n`, {
    mode: 0o755,
  });
  const display = await startScreen(processes);
  const port = String(await freePort());
  processes.run('WebKitWebDriver', ['-p', port], {
    ...{ DISPLAY: display, GDK_BACKEND: 'x11', XDG_CONFIG_HOME: folder },
    ...{ XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder },
  });
  const send: Send = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    const { value } = z.object({ value: z.unknown() }).parse(await answer.json());
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await waitUntil('WebKitWebDriver', async () => send('GET', '/status'));
  const { session, inner } = await startSession(send, wrapper);
  const element = async (css: string): Promise<z.infer<typeof elementSchema>> =>
    elementSchema.parse(await session('POST', '/element', { using: 'css selector', value: css }));
  const execute = async (script: string, args: readonly unknown[]): Promise<unknown> =>
    session('POST', '/execute/sync', { script, args });
  const perform = async (source: Record<string, unknown>): Promise<void> => {
    await session('POST', '/actions', { actions: [source] });
  };
  let read = 0;
  return {
    open: async (url) => {
      await session('POST', '/url', { url });
    },
    call: async (source, args, frame) => {
      if (frame !== null) await session('POST', '/frame', { id: await element(frame) });
      try {
        const text = await execute(
          `return JSON.stringify((${source})(...JSON.parse(arguments[0])) ?? null)`,
          [JSON.stringify(args)],
        );
        const value: unknown = JSON.parse(z.string().parse(text));
        return value;
      } finally {
        if (frame !== null) await session('POST', '/frame', { id: null });
      }
    },
    click: async ({ x, y }, frame) => {
      // The driver's mouse does not reach a frame of another origin: the payment's window is pressed by script.
      if (frame !== null) {
        await session('POST', '/frame', { id: await element(frame) });
        try {
          // After the answer: the press may take the frame away, and the answer with it.
          await execute(
            'const pressed = document.querySelector("[data-walk]"); setTimeout(() => pressed.click())',
            [],
          );
        } finally {
          await session('POST', '/frame', { id: null });
        }
        return;
      }
      await perform({
        ...{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' } },
        actions: [
          { type: 'pointerMove', duration: 0, origin: 'viewport', x, y },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      });
    },
    type: async (keys) => {
      const actions = Array.from(keys).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await perform({ type: 'key', id: 'keyboard', actions });
    },
    upload: async (selector, file) => {
      const { [elementKey]: id } = await element(selector);
      await session('POST', `/element/${id}/value`, { text: file });
    },
    screenshot: async () =>
      Buffer.from(z.string().parse(await session('GET', '/screenshot')), 'base64'),
    resize: async (width, height) => {
      let [outerWidth, outerHeight] = [width, height];
      await waitUntil(`a viewport of ${String(width)} px`, async () => {
        await session('POST', '/window/rect', {
          ...{ x: 0, y: 0, width: outerWidth, height: outerHeight },
        });
        const { x, y } = await inner();
        outerWidth += width - x;
        outerHeight += height - y;
        return x === width && y === height;
      });
    },
    takeErrors: async () => {
      const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
      const fresh = lines.slice(read);
      read = lines.length;
      return fresh.filter((line) => /CONSOLE .*ERROR/u.test(line));
    },
    close: async () => {
      await processes.stop();
    },
  };
}

export const webkit: EngineKind = { name: 'webkit', missing, start: startWebKit };
