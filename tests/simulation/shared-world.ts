import { afterAll, vi } from 'vitest';
import { openWorld, type World } from './world.ts';

let world: Promise<World> | undefined;

/** One world for all tests of a file. The functions' log lines are not shown. */
export function sharedWorld(): Promise<World> {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  return (world ??= openWorld());
}

afterAll(async () => {
  await (await world)?.close();
  world = undefined;
});
