/* How a browser is found and started, and the commands of WebDriver that the walks need. */
import type { Processes } from './processes.ts';

/** The commands, by their address under the session; Marionette, Firefox's own server, has names for the same. */
export const commands = {
  'POST /url': 'Navigate',
  'POST /execute/sync': 'ExecuteScript',
  'POST /element': 'FindElement',
  'POST /element/:id/click': 'ElementClick',
  'POST /element/:id/value': 'ElementSendKeys',
  'POST /frame': 'SwitchToFrame',
  'GET /window': 'GetWindowHandle',
  'POST /window': 'SwitchToWindow',
  'GET /window/handles': 'GetWindowHandles',
  'POST /window/rect': 'SetWindowRect',
  'GET /screenshot': 'TakeScreenshot',
} as const;

/** Sends a command to the browser's session; resolves to its value. */
export type Send = (
  command: keyof typeof commands,
  body?: Record<string, unknown>,
) => Promise<unknown>;

export interface EngineKind {
  name: string;
  /** One sentence that says what to install; null when the engine is there. */
  missing: () => string | null;
  /** Starts the browser with its profile in the folder. */
  start: (processes: Processes) => Promise<Send>;
  /** Matches a line of the log that is a console error; null when the engine writes none. */
  error: RegExp | null;
}
