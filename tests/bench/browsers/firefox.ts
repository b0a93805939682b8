/* Firefox by Marionette, the server behind geckodriver, which Firefox has built in. */
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { isInstalled, waitUntil, type Processes } from './processes.ts';
import { commands, type EngineKind, type Send } from './webdriver.ts';

const program = 'firefox-esr';
const settings = {
  // Any free port, which Firefox writes into its profile.
  'marionette.port': 0,
  'dom.disable_open_during_load': false,
  'devtools.console.stdout.content': true,
  'browser.dom.window.dump.enabled': true,
};
const answerSchema = z.tuple([z.literal(1), z.number(), z.unknown(), z.unknown()]);
const valueSchema = z.object({ value: z.unknown() });

/** Connects to Marionette: each message is the length of its JSON in bytes, a colon, and the JSON. */
function connectTo(port: number): (name: string, body: object) => Promise<unknown> {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const start = received.indexOf(':') + 1;
      const end = start + Number(received.subarray(0, start - 1).toString());
      if (start === 0 || received.length < end) return;
      const message: unknown = JSON.parse(received.subarray(start, end).toString());
      received = received.subarray(end);
      // The first message is a greeting.
      const answer = answerSchema.safeParse(message).data;
      if (!answer) continue;
      const [, id, error, result] = answer;
      if (error === null) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(JSON.stringify(error)));
      waiting.delete(id);
    }
  });
  let last = 0;
  return async (name, body) => {
    last += 1;
    const message = JSON.stringify([0, last, `WebDriver:${name}`, body]);
    const answer = Promise.withResolvers<unknown>();
    waiting.set(last, answer);
    socket.write(`${String(Buffer.byteLength(message))}:${message}`);
    return answer.promise;
  };
}

async function start({ folder, run }: Processes): Promise<Send> {
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref("${name}", ${String(value)});\n`,
  );
  await writeFile(join(folder, 'user.js'), lines.join(''));
  run(program, ['--headless', '--no-remote', '--marionette', '--profile', folder]);
  // The file is there before its text is.
  const port = await waitUntil('Firefox', async () => {
    const text = await readFile(join(folder, 'MarionetteActivePort'), 'utf8');
    return text !== '' && text;
  });
  const send = connectTo(Number(port));
  await send('NewSession', {});
  return async (command, body = {}) => {
    // The frame has another name here, and a screenshot shows the whole page by default.
    const params = command === 'POST /frame' ? { element: body['id'] } : { ...body, full: false };
    const result = await send(commands[command], params);
    const value = valueSchema.safeParse(result);
    return value.success ? value.data.value : result;
  };
}

export const firefox: EngineKind = {
  name: 'firefox',
  missing: () =>
    isInstalled(program) ? null : 'Firefox is missing: install Debian’s package firefox-esr.',
  start,
  error: /^console\.error: ["(]|^JavaScript error: http/u,
};
