import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Handler } from '#local/emulators/http/handler.ts';
import { projectRoot } from '#local/shared/settings.ts';
import type { Router } from './router.ts';

/** What a part is given of the stack. */
export interface Stack {
  origin: string;
  sandboxOrigin: string;
  router: Router;
  /** The variables of pages and functions. */
  env: Readonly<Record<string, string>>;
}

/** What the stack has for a feature, `addStackPart` of `local/NAME/stack-part.ts`: adds its routes, and returns Supabase's, which it may guard. */
export type AddStackPart = (stack: Stack, supabase: Handler) => Handler;

/** Adds the parts of all features. Returns Supabase's routes behind them. */
export async function addStackParts(stack: Stack, supabase: Handler): Promise<Handler> {
  const folder = join(projectRoot, 'local');
  let routes = supabase;
  for (const path of globSync('*/stack-part.ts', { cwd: folder }).sort()) {
    const { addStackPart } = (await import(pathToFileURL(join(folder, path)).href)) as {
      addStackPart: AddStackPart;
    };
    routes = addStackPart(stack, routes);
  }
  return routes;
}
