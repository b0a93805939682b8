/* WebKitGTK's MiniBrowser by WebDriver over HTTP, on a virtual screen. */
import { once } from 'node:events';
import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { freePort } from '#tests/bench/support/embedded-stack.ts';
import { isInstalled, waitUntil, type Processes } from './processes.ts';
import type { EngineKind, Send } from './webdriver.ts';

const libraries = '/usr/lib/x86_64-linux-gnu';

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
async function startScreen({ run }: Processes): Promise<string> {
  const screen = run('Xvfb', [
    ...['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
  ]);
  const pipe = screen.stdio[3];
  if (!pipe) throw new Error('Xvfb has no pipe for its display');
  const [chunk] = z.tuple([z.instanceof(Buffer)]).parse(await once(pipe, 'data'));
  return `:${chunk.toString().trim()}`;
}

async function start(processes: Processes): Promise<Send> {
  const { folder, run } = processes;
  const binary = findMiniBrowser() ?? '';
  const port = String(await freePort());
  run('WebKitWebDriver', ['-p', port], {
    DISPLAY: await startScreen(processes),
    GDK_BACKEND: 'x11',
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
  });
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      headers: { 'content-type': 'application/json' },
    });
    const { value } = z.object({ value: z.unknown() }).parse(await answer.json());
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await waitUntil('WebKitWebDriver', () => send('GET', '/status'));
  const args = ['--automation', '--javascript-can-open-windows-automatically=true'];
  const browser = {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args },
    // Records console errors while the page loads: MiniBrowser writes none under automation (seen in 2.50.6).
    pageLoadStrategy: 'none',
  };
  const session = await send('POST', '/session', { capabilities: { alwaysMatch: browser } });
  const { sessionId } = z.object({ sessionId: z.string() }).parse(session);
  return async (command, body) => {
    const [method = '', path = ''] = command.split(' ');
    return send(method, `/session/${sessionId}${path.replace(':id', String(body?.['id']))}`, body);
  };
}

export const webkit: EngineKind = { name: 'webkit', missing, start, error: null };
