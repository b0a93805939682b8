/* `npm run seed -- --products 10000`: makes the data folder a demo shop with so many products. */
import { launchOrExplain } from './stack/launch-or-explain.ts';

await launchOrExplain(async () => (await import('./stack/fill-catalogue.ts')).fillCatalogue);
