import { afterAll, beforeAll, vi } from 'vitest';
import { openWorld, type World } from './world.ts';

/** Opens a world for the tests of a file, and closes it after them. The functions' log lines are not shown. */
export function useWorld(): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    world = await openWorld();
  });
  afterAll(() => world?.close());
  return () => {
    if (!world) throw new Error('The world is not open yet');
    return world;
  };
}
