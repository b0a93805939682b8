/* `npm start`: the whole shop on one port, over the built site. */
import { launch } from './stack/launch.ts';

await launch(async () => (await import('./stack/run-stack.ts')).runStack);
