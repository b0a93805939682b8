/* `npm run dev`: the same stack with hot reload of pages, islands and functions. */
import { launch } from './stack/launch.ts';

await launch(async () => (await import('./stack/run-dev.ts')).runDev);
