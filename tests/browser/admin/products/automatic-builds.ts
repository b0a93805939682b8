import * as z from 'zod';
import { insertRows, runningShop } from '#tests/browser/support/running-shop.ts';

const buildSchema = z.object({ builtAt: z.string() });

/**
 * Keeps the shop from building its pages by itself for a quarter of an hour: tests add and remove products all the time,
 * and each build would take the processor from them and mix the products of one test into the pages of another. The
 * database records a build that is under way, requested before the present pages were built: automatic builds wait
 * for its end, the admin's own word does not.
 */
export async function holdAutomaticBuilds(): Promise<void> {
  const { builtAt } = buildSchema.parse(
    await (await fetch(`${runningShop().url}/build.json`)).json(),
  );
  const asked = Date.parse(builtAt) - 1_000;
  const nextDay = Date.now() + 86_400_000;
  await insertRows('builds', [
    {
      requested_by: 'auto',
      state: 'building',
      requested_at: new Date(asked).toISOString(),
      // The admin page asks for a build of its own accord only when the last one began before the last change.
      started_at: new Date(nextDay).toISOString(),
    },
  ]);
}
