import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * `astro sync` writes the types of the content collections and loads the catalogue for it. Types need no database:
 * one row, served from here to every question, is catalogue enough: a product, and the version that it belongs to.
 */
const product = { id: 'a', name: 'A piece', category: 'rings', price: 1, stock: 1, version: 0 };
const server = createServer((_, answer) => {
  answer.setHeader('content-type', 'application/json').end(JSON.stringify([product]));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

const sync = spawn('astro', ['sync'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: '1',
    PUBLIC_SUPABASE_URL: `http://127.0.0.1:${String(port)}`,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'none',
  },
});
const [code] = (await once(sync, 'exit')) as [number | null];
server.close();
process.exit(code ?? 1);
