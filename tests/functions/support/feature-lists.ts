import { resolve } from 'node:path';
import { writePlaces } from '#integrations/list-features.ts';

/** Vitest's global set-up: the functions have the routes of a feature that was added since the last build. */
export default function setUp(): void {
  writePlaces(resolve(import.meta.dirname, '../../..'));
}
