import { afterAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';
import { requestBuild } from '#core/publishing/publish.ts';
import { serveFetch } from '#tests/functions/support/serve-fetch.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();
const asked: string[] = [];
const elsewhere = await serveFetch((request) => {
  asked.push(`${request.method} ${request.url}`);
  return Response.json({ success: true, action: 'contact', hostname: 'kasavu.example' });
});
/** A provider whose addresses lead somewhere else, with method and body. */
const moved = await serveFetch((request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/build.json') return Response.json({ version: 0, builtAt: null });
  const location = `${elsewhere.url}${pathname}`;
  return new Response(null, { status: 307, headers: { location } });
});
afterAll(async () => {
  await moved.close();
  await elsewhere.close();
});

test('a redirect of the database is not followed, because the key would go along', async () => {
  const own = process.env['SUPABASE_URL'];
  vi.stubEnv('SUPABASE_URL', moved.url);
  await expect(callFunction('shop_health', {}, z.unknown())).rejects.toMatchObject({ status: 503 });
  vi.stubEnv('SUPABASE_URL', own);
  expect(asked).toEqual([]);
});

test('a build is not requested at another address', async () => {
  await stack.sql('delete from public.builds');
  vi.stubEnv('BUILD_HOOK_URL', `${moved.url}/hook`);
  expect(await requestBuild(new Request('https://kasavu.example/'), 'admin')).toBe(false);
  vi.stubEnv('BUILD_HOOK_URL', '');
  expect(await stack.value('select reason from public.builds')).toContain('it answered 307');
  expect(asked).toEqual([]);
});
