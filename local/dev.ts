/* `npm run dev`: the same stack with hot reload of pages, islands and functions. */
import { launchOrExplain } from './stack/launch-or-explain.ts';

await launchOrExplain(async () => (await import('./stack/run-dev.ts')).runDev);
