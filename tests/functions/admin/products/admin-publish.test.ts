import type { DeployFailedEvent } from '@netlify/functions';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import deployEvents from '#netlify/functions/deploy-events.ts';
import { buildFailedReason } from '#core/publishing/deploy-events.ts';
import { publishStateSchema, type PublishState } from '#domain/admin/publish.ts';
import { deploysPerMonth } from '#settings/publishing.ts';
import { sqlSettings } from '#settings/sql-settings.ts';
import { logIn, setAdminPassword, type AdminClient } from '#tests/functions/admin/admin-client.ts';
import { serveFetch, type Served } from '#tests/functions/support/serve-fetch.ts';
import { useStack } from '#tests/functions/support/stack.ts';

const stack = await useStack();
let admin: AdminClient;
/** The live site and the build hook. */
let platform: Served;
let built: { version: number; builtAt: string } | null;
let hookAnswers = 200;
let asked = 0;

beforeAll(async () => {
  platform = await serveFetch((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/hook' && request.method === 'POST') {
      asked += 1;
      return new Response('', { status: hookAnswers });
    }
    if (pathname === '/build.json' && built) return Response.json(built);
    return new Response('', { status: 404 });
  });
  vi.stubEnv('URL', platform.url);
  await setAdminPassword();
  admin = await logIn(stack);
});
afterAll(async () => {
  await platform.close();
});
beforeEach(async () => {
  await stack.sql('delete from public.builds');
  await stack.sql(`delete from public.costs where effect = 'deploy_report'`);
  await stack.sql('delete from public.products');
  vi.stubEnv('BUILD_HOOK_URL', `${platform.url}/hook`);
  [asked, hookAnswers] = [0, 200];
  await goLive();
});

/** The platform has built and serves what the catalogue holds now. */
async function goLive(): Promise<void> {
  const [row] = await stack.sql<{ version: number }>(
    'select version::int from public.catalogue_version',
  );
  built = { version: row?.version ?? 0, builtAt: new Date().toISOString() };
}
const state = async (): Promise<PublishState> =>
  publishStateSchema.parse((await admin.ask('GET', '/api/admin/publish')).json);
const publish = async (body: object = {}): Promise<PublishState> => {
  const answer = await admin.ask('POST', '/api/admin/publish', body);
  expect(answer.status).toBe(200);
  return publishStateSchema.parse(answer.json);
};
test('a shop whose products are all hidden or deleted is reported as empty, because a build would refuse it', async () => {
  expect(await state()).toMatchObject({ empty: true });
  const id = await stack.addProduct();
  expect(await state()).toMatchObject({ empty: false });
  await stack.sql('update public.products set hidden = true where id = $1', id);
  expect(await state()).toMatchObject({ empty: true });
  await stack.sql(
    'update public.products set hidden = false, deleted_at = now() where id = $1',
    id,
  );
  expect(await state()).toMatchObject({ empty: true });
});

/** Deploys of pushes in this month, which are over. */
const useUp = (count: number): Promise<unknown> =>
  stack.sql(
    `insert into public.builds (requested_by, state) select 'admin', 'published' from generate_series(1, $1)`,
    count,
  );
const { sweep } = stack;
const pass = async (minutes: number): Promise<void> => {
  await stack.sql(`update public.product_changes set at = at - make_interval(mins => $1)`, minutes);
  await stack.sql(
    `update public.builds set requested_at = requested_at - make_interval(mins => $1), started_at = started_at - make_interval(mins => $1)`,
    minutes,
  );
  await stack.sql(
    `update public.heartbeats set rest = rest || jsonb_build_object('until', (rest ->> 'until')::timestamptz - make_interval(mins => $1))`,
    minutes,
  );
};

/** What the shop reads of an event of the runtime. */
function event(
  id: string,
  about: { context?: string; error?: string | null } = {},
): DeployFailedEvent {
  const { context = 'production', error = null } = about;
  const deploy = { id, context, errorMessage: error, createdAt: new Date().toISOString() };
  return { deploy, site: { url: platform.url } } as unknown as DeployFailedEvent;
}

describe('the state', () => {
  test('names what customers do not see in the built pages yet', async () => {
    const id = await stack.addProduct({ name: 'Temple ring' });
    const now = await state();
    expect(now).toMatchObject({
      count: 1,
      changes: [{ productId: id, name: 'Temple ring', kind: 'added' }],
      configured: true,
    });
    expect(now.build).toMatchObject({ state: 'published', publishedAt: built?.builtAt });
    await goLive();
    expect(await state()).toMatchObject({ count: 0, changes: [] });
  });

  test('without a hook says that nothing can be published from here, and asks for nothing', async () => {
    vi.stubEnv('BUILD_HOOK_URL', '');
    expect(await publish()).toMatchObject({ configured: false });
    expect(asked).toBe(0);
    expect(await stack.sql('select 1 from public.builds')).toEqual([]);
  });
});

describe('Publish now', () => {
  test('asks the platform, shows the build on its way, and its end', async () => {
    await stack.addProduct();
    expect((await publish()).build.state).toBe('building');
    expect(asked).toBe(1);
    await deployEvents.deployBuilding(event('d1'));
    expect((await state()).build.state).toBe('building');
    await goLive();
    await deployEvents.deploySucceeded(event('d1'));
    expect(await state()).toMatchObject({
      count: 0,
      build: { state: 'published', publishedAt: built?.builtAt, reason: null },
    });
  });

  test('a deploy writes the prefixes of this shop, and a preview does not', async () => {
    const prefix = async () =>
      (
        await stack.sql<{ order_prefix: string }>('select order_prefix from public.shop_settings')
      )[0]?.order_prefix;
    await stack.sql(`select public.set_shop_settings('XYZ', 'XY', 'XC')`);
    await deployEvents.deploySucceeded(event('d2', { context: 'deploy-preview' }));
    await deployEvents.deployFailed(event('d3'));
    expect(await prefix()).toBe('XYZ');
    await deployEvents.deploySucceeded(event('d2'));
    expect(await prefix()).toBe(sqlSettings.order_prefix);
  });

  test('Publish now whose build fails says where its log is, until one succeeds', async () => {
    await stack.addProduct();
    await publish();
    await deployEvents.deployBuilding(event('d1'));
    await deployEvents.deployFailed(
      event('d1', { error: 'Build script\n\u001b[31mreturned\u001b[0m non-zero exit code: 2' }),
    );
    expect((await state()).build).toMatchObject({
      state: 'failed',
      reason: buildFailedReason,
    });
    await publish();
    await goLive();
    expect((await state()).build).toMatchObject({ state: 'published', reason: null });
  });

  test('a push of documents, which Netlify calls a failed build, is no deploy', async () => {
    const before = await stack.sql('select id from public.builds');
    await deployEvents.deployBuilding(event('docs'));
    expect(await stack.sql('select id from public.builds')).toHaveLength(before.length + 1);
    await deployEvents.deployFailed(
      event('docs', { error: 'Canceled build due to no content change' }),
    );
    expect(await stack.sql('select id from public.builds')).toEqual(before);
  });

  test('that would change nothing is refused with that sentence', async () => {
    await stack.addProduct();
    await goLive();
    const answer = await admin.ask('POST', '/api/admin/publish', {});
    expect([answer.status, answer.text]).toEqual([
      409,
      expect.stringContaining('publishing again would change nothing'),
    ]);
    expect(asked).toBe(0);
  });

  test('that the platform refuses says so at once', async () => {
    await stack.addProduct();
    hookAnswers = 500;
    expect((await publish()).build).toMatchObject({
      state: 'failed',
      reason: 'The build could not be requested: it answered 500.',
    });
  });
});

describe('publishing by itself', () => {
  test('from the page happens only when it is needed, and once the admin has stopped editing', async () => {
    await pass(2);
    await publish({ auto: true });
    expect(asked).toBe(0);
    await stack.addProduct();
    await pass(9);
    await publish({ auto: true });
    expect(asked).toBe(0);
    await pass(2);
    await publish({ auto: true });
    await publish({ auto: true });
    expect(asked).toBe(1);
  });

  test('by the sweep happens after ten quiet minutes, though nobody has the page open', async () => {
    await stack.addProduct();
    await pass(9);
    await sweep();
    expect(asked).toBe(0);
    await pass(2);
    await sweep();
    await sweep();
    expect(asked).toBe(1);
  });

  test('is told by one mail a month when 70 % of its deploys are used', async () => {
    const alerts = () =>
      stack.sql(`select payload from public.outbox where payload ->> 'topic' = 'deploys_used'`);
    await stack.sql('delete from public.outbox');
    await useUp(Math.ceil(deploysPerMonth * 0.7) - 1);
    await sweep();
    expect(await alerts()).toEqual([]);
    await useUp(1);
    await sweep();
    await sweep();
    expect(await alerts()).toHaveLength(1);
  });

  test('has no budget where builds are free, and waits half a minute', async () => {
    vi.stubEnv('BUILDS_ARE_FREE', '1');
    await useUp(deploysPerMonth);
    await stack.addProduct();
    await pass(1);
    await sweep();
    vi.stubEnv('BUILDS_ARE_FREE', '');
    expect(asked).toBe(1);
  });

  test('does not happen when the deployed version is unknown', async () => {
    await stack.addProduct();
    await pass(11);
    built = null;
    await sweep();
    await publish({ auto: true });
    expect(asked).toBe(0);
  });
});

describe('events', () => {
  test('events of previews and branches, and with odd ids, are not the shop’s', async () => {
    await deployEvents.deployFailed(event('d1', { context: 'deploy-preview', error: 'x' }));
    await deployEvents.deployFailed(event('d1', { context: 'branch-deploy', error: 'x' }));
    await deployEvents.deployFailed(event('<script>', { error: 'x' }));
    expect(await stack.sql('select 1 from public.builds')).toEqual([]);
    await deployEvents.deployFailed(event('d1', { error: 'x' }));
    expect(await stack.sql('select 1 from public.builds')).toHaveLength(1);
  });

  test('that are forged put none of their text on the admin page or into a mail', async () => {
    const text = 'Your card was refused. Confirm it at https://evil.example';
    await stack.addProduct();
    await publish();
    await deployEvents.deployFailed(event('d1', { error: text }));
    expect((await state()).build).toMatchObject({ state: 'failed', reason: buildFailedReason });
    stack.mail.mails.length = 0;
    await sweep();
    const [mail] = stack.mail.mails;
    const raw = mail?.raw.replaceAll(/=\r?\n/gu, '') ?? '';
    expect(raw).toContain('https://app.netlify.com');
    expect(raw).not.toContain('evil');
    expect(JSON.stringify(await stack.sql('select * from public.builds'))).not.toContain('evil');
  });
});
