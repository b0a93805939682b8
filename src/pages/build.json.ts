import type { APIRoute } from 'astro';
import { catalogueVersion } from '../services/catalogue/built-catalogue.ts';

/** What this build shows: the admin page compares it with the catalogue to tell what is not published yet. */
export const GET: APIRoute = async () =>
  Response.json({ version: await catalogueVersion(), builtAt: new Date().toISOString() });
