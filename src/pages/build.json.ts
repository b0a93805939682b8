import type { APIRoute } from 'astro';
import { catalogueVersion } from '#services/catalogue/built-catalogue.ts';

/** The state of this build: the admin page compares it with the catalogue to find what is not published yet. */
export const GET: APIRoute = async () =>
  Response.json({ version: await catalogueVersion(), builtAt: new Date().toISOString() });
