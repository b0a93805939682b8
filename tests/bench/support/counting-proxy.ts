import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A request that passed a counting proxy. */
export interface Counted {
  method: string;
  path: string;
  status: number;
  /** The bytes that were sent: the compressed body with its headers. */
  bytes: number;
  type: string;
}

export interface CountingProxy {
  url: string;
  /** Every request so far, in the order of their ends. */
  requests: Counted[];
  /** Ms that each request waits before it is passed on, as a distant server would. */
  delay: number;
  close: () => void;
}

/** Passes requests on to a server as they are, and counts them. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { origin, host, pathname } = new URL(target);
  const requests: Counted[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const path = pathname === '/' ? url : pathname + url;
    const passOn = (): void => {
      const passed = request(origin + path, { method, headers: { ...headers, host } });
      passed.on('response', (answer) => {
        const { statusCode: status = 0, rawHeaders } = answer;
        let bytes = rawHeaders.join(': ').length;
        outgoing.writeHead(status, rawHeaders);
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () => {
          const type = answer.headers['content-type']?.split(';')[0] ?? '';
          requests.push({ method, path: url, status, bytes, type });
        });
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    };
    setTimeout(passOn, proxy.delay);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    delay: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}
