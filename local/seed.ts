/* `npm run seed -- --products 10000`: makes the data folder a demo shop with so many products. */
import { launch } from './stack/launch.ts';

await launch(async () => (await import('./stack/fill-catalogue.ts')).fillCatalogue);
