/* Actions of a person on a page, in the words of the steps. */
import { waitUntil, type Engine, type Point } from './engine.ts';
import {
  awaited,
  choose,
  locate,
  recordMessages,
  selectText,
  shows,
  valueOf,
  type Kind,
} from './in-page.ts';

type Name = string | RegExp;
interface Place {
  /** Selector of the part to look in; the open dialog, or else the page, without it. */
  within?: string;
  /** Selector of an iframe. */
  frame?: string;
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

export class Page {
  private readonly engine: Engine;
  private readonly origin: string;
  readonly isNarrow: boolean;

  constructor(engine: Engine, origin: string, isNarrow: boolean) {
    this.engine = engine;
    this.origin = origin;
    this.isNarrow = isNarrow;
  }

  async script<A extends unknown[], R>(
    work: (...args: A) => R,
    args: A,
    frame: string | null = null,
  ): Promise<R> {
    return (await this.engine.call(work.toString(), args, frame)) as R;
  }

  /** Opens a path of the shop, or an address. */
  async open(path: string): Promise<void> {
    const url = new URL(path, this.origin).href;
    // An address that differs in its fragment alone loads nothing.
    await this.engine.open('about:blank');
    await this.engine.open(url);
    await this.ready();
    await this.script(recordMessages, []);
  }

  async ready(): Promise<void> {
    await waitUntil('the page to be ready', async () => {
      const missing = await this.script(awaited, []);
      if (missing !== null) throw new Error(missing);
      return true;
    });
  }

  /** Waits until a control is where it stays and nothing covers it. */
  async find(kind: Kind, name: Name, { within, frame }: Place = {}): Promise<Point> {
    const source = typeof name === 'string' ? `^${escape(name)}$` : name.source;
    let last = '';
    return waitUntil(`the ${kind} ${String(name)}`, async () => {
      const found = await this.script(
        locate,
        [{ kind, name: source, within: within ?? null }],
        frame ?? null,
      );
      const now = JSON.stringify(found);
      const isStill = now === last;
      last = now;
      if (typeof found === 'string') throw new Error(found);
      return isStill && found;
    });
  }

  async press(kind: Kind, name: Name, place: Place = {}): Promise<void> {
    await this.engine.click(await this.find(kind, name, place), place.frame ?? null);
  }

  /** Replaces the text of a field, key by key. */
  async fill(label: Name, text: string, place: Place = {}): Promise<void> {
    await this.press('field', label, place);
    if (await this.script(selectText, [])) await this.engine.type('\u{E003}');
    await this.engine.type(text);
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

  async valueOf(label: Name): Promise<string> {
    await this.find('field', label);
    return this.script(valueOf, []);
  }

  async upload(selector: string, file: string): Promise<void> {
    await this.engine.upload(selector, file);
  }

  /** Waits until the words are on the page. */
  async see(words: string, { frame }: Place = {}): Promise<void> {
    await waitUntil(`the words “${words}”`, async () => this.script(shows, [words], frame ?? null));
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
    await waitUntil(`${selector} to go`, async () =>
      this.script((css) => document.querySelector(css) === null, [selector]),
    );
  }
}
