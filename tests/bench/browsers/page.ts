import * as z from 'zod';
import { awaited, choose, locate, recordedErrors, shows, valueOf, type Kind } from './in-page.ts';
import { createProcesses, waitUntil, type Processes } from './processes.ts';
import type { EngineKind, Send } from './webdriver.ts';

type Name = string | RegExp;

/** The keys Ctrl+A, its release, and Backspace, as WebDriver writes them. */
const selectAndDelete = '\u{E009}a\u{E009}\u{E003}';

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const elementSchema = z.object({ [elementKey]: z.string() });
const sizeSchema = z.object({ width: z.number(), height: z.number() });
const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

/** The page of a browser with a profile of its own, and the actions of a person on it, in the words of the walks. */
export class Page {
  private readonly send: Send;
  private readonly processes: Processes;
  private readonly kind: EngineKind;
  private readonly origin: string;
  private readLines = 0;

  private constructor(send: Send, processes: Processes, kind: EngineKind, origin: string) {
    this.send = send;
    this.processes = processes;
    this.kind = kind;
    this.origin = origin;
  }

  static async start(kind: EngineKind, origin: string): Promise<Page> {
    const processes = await createProcesses();
    const send = await kind.start(processes);
    const page = new Page(send, processes, kind, origin);
    // The first window has a toolbar that is wider than a phone; a popup has none.
    const first = await send('GET /window');
    await page.execute('window.open("about:blank", "walk", "width=390,height=844,popup")');
    const handle = await waitUntil('the popup', async () =>
      z
        .array(z.string())
        .parse(await send('GET /window/handles'))
        .find((each) => each !== first),
    );
    await send('POST /window', { handle });
    return page;
  }

  async close(): Promise<void> {
    await this.processes.stop();
  }

  private async execute(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.send('POST /execute/sync', { script, args });
  }

  private async element(selector: string): Promise<z.infer<typeof elementSchema>> {
    const found = { using: 'css selector', value: selector };
    return elementSchema.parse(await this.send('POST /element', found));
  }

  /** Does the work in an iframe, when a selector of one is given. */
  private async inFrame<T>(frame: string | undefined, work: () => Promise<T>): Promise<T> {
    if (frame === undefined) return work();
    await this.send('POST /frame', { id: await this.element(frame) });
    try {
      return await work();
    } finally {
      await this.send('POST /frame', { id: null });
    }
  }

  /** Runs a function in the page with arguments that JSON can hold. */
  async script<A extends unknown[], R>(
    work: (...args: A) => R,
    args: A,
    frame?: string,
  ): Promise<R> {
    const source = `return JSON.stringify((${work.toString()})(...JSON.parse(arguments[0])) ?? null)`;
    const text = await this.inFrame(frame, () => this.execute(source, JSON.stringify(args)));
    return JSON.parse(z.string().parse(text)) as R;
  }

  /** Sets the size of the viewport, in CSS pixels. */
  async resize(width: number, height: number): Promise<void> {
    let [outerWidth, outerHeight] = [width, height];
    await waitUntil(`a viewport of ${String(width)} px`, async () => {
      await this.send('POST /window/rect', { x: 0, y: 0, width: outerWidth, height: outerHeight });
      const inner = sizeSchema.parse(
        await this.execute('return { width: innerWidth, height: innerHeight }'),
      );
      outerWidth += width - inner.width;
      outerHeight += height - inner.height;
      return inner.width === width && inner.height === height;
    });
  }

  /** The viewport as PNG, once there is a page to draw: a step may end while a redirect is under way. */
  async screenshot(): Promise<Buffer> {
    return waitUntil('a screenshot', async () =>
      Buffer.from(z.string().parse(await this.send('GET /screenshot')), 'base64'),
    );
  }

  /** The console errors since the last call: those of the engine's log, else those that the page recorded. */
  async takeErrors(): Promise<string[]> {
    const { error } = this.kind;
    if (error === null) return this.script(recordedErrors, []);
    const lines = (await this.processes.readLog()).split('\n').slice(0, -1);
    const fresh = lines.slice(this.readLines);
    this.readLines = lines.length;
    return fresh.filter((line) => error.test(line));
  }

  /** Opens a path of the shop, or an address. */
  async open(path: string): Promise<void> {
    // An address that differs in its fragment alone loads nothing.
    await this.send('POST /url', { url: 'about:blank' });
    await this.send('POST /url', { url: new URL(path, this.origin).href });
    await this.ready();
  }

  async ready(): Promise<void> {
    await waitUntil('the page to be ready', async () => {
      const missing = await this.script(awaited, []);
      if (missing !== null) throw new Error(missing);
      return true;
    });
  }

  /** Waits until a control is where it stays and nothing covers it, and marks it for `[data-walk]`. */
  async find(kind: Kind, name: Name, frame?: string): Promise<void> {
    const source = typeof name === 'string' ? `^${escape(name)}$` : name.source;
    let last = '';
    await waitUntil(`the ${kind} ${String(name)}`, async () => {
      const found = await this.script(locate, [kind, source], frame);
      const isStill = found === last;
      last = found;
      if (!/^\d/u.test(found)) throw new Error(found);
      return isStill;
    });
  }

  async press(kind: Kind, name: Name, frame?: string): Promise<void> {
    await this.find(kind, name, frame);
    // WebKit's driver does not press in a frame of another origin. After the answer: the press may take the frame away.
    const script =
      'const pressed = document.querySelector("[data-walk]"); setTimeout(() => pressed.click())';
    if (frame !== undefined) await this.inFrame(frame, () => this.execute(script));
    else {
      const { [elementKey]: id } = await this.element('[data-walk]');
      await this.send('POST /element/:id/click', { id });
    }
  }

  /** Types into the first element that matches; chooses a file, when it is a field for files. */
  async type(selector: string, text: string): Promise<void> {
    const { [elementKey]: id } = await this.element(selector);
    await this.send('POST /element/:id/value', { id, text });
  }

  /** Replaces the text of a field, key by key. */
  async fill(label: Name, text: string): Promise<void> {
    await this.press('field', label);
    await this.type('[data-walk]', selectAndDelete + text);
    await waitUntil(`“${text}” in ${String(label)}`, async () => {
      const value = await this.script(valueOf, []);
      if (value !== text) throw new Error(`it holds “${value}”`);
      return true;
    });
  }

  async choose(label: Name, option: string): Promise<void> {
    await this.find('field', label);
    await this.script(choose, [option]);
  }

  /** Waits until the words are on the page. */
  async see(words: string): Promise<void> {
    await waitUntil(`the words “${words}”`, () => this.script(shows, [words]));
  }

  /** Waits until the page of a path is loaded. */
  async arriveAt(path: string): Promise<void> {
    await waitUntil(`the page ${path}`, async () => {
      const address = await this.script(() => location.pathname + location.search, []);
      if (!address.startsWith(path)) throw new Error(`it is ${address}`);
      return true;
    });
    await this.ready();
  }

  /** Waits until no element matches. */
  async gone(selector: string): Promise<void> {
    await waitUntil(`${selector} to go`, () =>
      this.script((css) => document.querySelector(css) === null, [selector]),
    );
  }
}
