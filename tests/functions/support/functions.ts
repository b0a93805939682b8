import type { Config } from '@netlify/functions';
import {
  functionFiles,
  loadFunctions,
  matchFunction,
  type FunctionHandler,
  type LoadedFunction,
} from '#local/emulators/netlify/functions/load-functions.ts';
import { routes } from '#core/admin/routes.ts';

let functions: Promise<LoadedFunction[]> | undefined;

/** The function that answers at this path, and its parameters, as the embedded stack finds them by the functions' `config`. */
async function find(
  method: string,
  path: string,
): Promise<{ found: LoadedFunction; params: Record<string, string> } | null> {
  const { pathname } = new URL(path, 'https://kasavu.example');
  for (const found of await (functions ??= loadFunctions())) {
    const params = matchFunction(found, method, pathname);
    if (params) return { found, params };
  }
  return null;
}

/** `context.params` of a request. Empty for no function's path. */
export const pathParameters = async ({ method, url }: Request): Promise<Record<string, string>> =>
  (await find(method, url))?.params ?? {};

/** The function that answers at this path. Throws when there is none. */
export async function functionAt(
  method: string,
  path: string,
): Promise<(...args: Parameters<FunctionHandler>) => Promise<Response>> {
  const handler = (await find(method, path))?.found.fetch;
  if (!handler) throw new Error(`No function answers ${method} ${path}`);
  return handler as (...args: Parameters<FunctionHandler>) => Promise<Response>;
}

/** A function, and an address that it answers: each of its paths with an id for every parameter. */
export interface Address {
  endpoint: (...args: Parameters<FunctionHandler>) => Promise<Response>;
  path: string;
}

/** Every address of a path: `/:id/:action(cancel|refund)` is `/1001/cancel` and `/1001/refund`. */
function addressesOf(path: string): string[] {
  const [whole, choices] = /:\w+\(([^)]+)\)/u.exec(path) ?? [];
  if (whole === undefined || choices === undefined)
    return [path.replace(':kind', 'messages').replaceAll(/:\w+/gu, '1001').replaceAll('\\', '')];
  return choices.split('|').flatMap((choice) => addressesOf(path.replace(whole, choice)));
}

/** The addresses of every function that answers requests, those of the admin's one function by its routes. */
export async function everyAddress(): Promise<Address[]> {
  const found: Address[] = [];
  for (const file of await functionFiles()) {
    const { default: endpoint, config } = (await import(
      new URL(`../../../netlify/functions/${file}`, import.meta.url).href
    )) as { default: unknown; config?: Config };
    // Functions that take events of the platform are no endpoints.
    if (typeof endpoint !== 'function') continue;
    const own = [config?.path ?? `/.netlify/functions/${file.replace('.ts', '')}`].flat();
    const paths = own.includes('/api/admin/*') ? routes.map(({ path }) => path) : own;
    for (const path of new Set(paths.flatMap(addressesOf)))
      found.push({ endpoint: endpoint as Address['endpoint'], path });
  }
  return found;
}
