import { warn } from '../stack/log.ts';
import type { NetlifyRuntime } from './netlify.ts';
import type { DeployNews } from './publisher.ts';

/** Calls the function `deploy-events` as Netlify does when a deploy begins and ends, one call after the other. */
export function tellFunctions(netlify: NetlifyRuntime, origin: string): (news: DeployNews) => void {
  let queue = Promise.resolve();
  return (news) => {
    queue = queue.then(async () => {
      const status = await tell(netlify, origin, news).catch((error: unknown) => String(error));
      if (status !== 200) warn(`The function deploy-events answered ${String(status)}`);
    });
  };
}

async function tell(netlify: NetlifyRuntime, origin: string, { deploy, event, error }: DeployNews): Promise<number> {
  const now = new Date().toISOString();
  const payload = {
    ...{ id: deploy, site_id: 'embedded', build_id: deploy, name: 'embedded', context: 'production', branch: 'main' },
    ...{ url: origin, ssl_url: origin, deploy_url: origin, deploy_ssl_url: origin, admin_url: `${origin}/local` },
    ...{ created_at: now, updated_at: now, published_at: event === 'deploy_succeeded' ? now : null },
    state: event === 'deploy_building' ? 'building' : event === 'deploy_failed' ? 'error' : 'ready',
    error_message: error,
  };
  const site = { id: 'embedded', name: 'embedded', url: origin, admin_url: `${origin}/local` };
  const answer = await netlify.handle(
    new Request(`${origin}/.netlify/functions/deploy-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-netlify-event': event },
      body: JSON.stringify({ payload, site }),
    }),
  );
  return answer?.response.status ?? 404;
}
