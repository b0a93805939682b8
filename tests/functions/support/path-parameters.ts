import {
  loadFunctions,
  matchFunction,
  type LoadedFunction,
} from '../../../local/functions/load-functions.ts';

let functions: Promise<LoadedFunction[]> | undefined;

/** `context.params` of a request, as the embedded stack finds them by the functions' own `config`. Empty for no function's path. */
export async function pathParameters({ method, url }: Request): Promise<Record<string, string>> {
  const { pathname } = new URL(url);
  for (const one of await (functions ??= loadFunctions())) {
    const params = matchFunction(one, method, pathname);
    if (params) return params;
  }
  return {};
}
