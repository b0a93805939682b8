import type { Handler } from '#local/emulators/http/handler.ts';
import { apiRoutes } from './api-routes.ts';
import { checkoutRoutes } from './checkout/checkout-routes.ts';
import { controlRoutes } from './control-routes.ts';
import { ProviderError } from './provider-error.ts';
import { createSandboxParts, type SandboxOptions } from './sandbox-parts.ts';

export interface Sandbox {
  /** Handles everything below /local/razorpay/. */
  handle: Handler;
  close: () => Promise<void>;
}

/** A local payment provider: Razorpay's API, checkout script and webhooks, without real money. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const parts = await createSandboxParts(options);
  const routes = [apiRoutes(parts), checkoutRoutes(parts), controlRoutes(parts)];
  return {
    async handle(request) {
      if (!/^\/local\/razorpay(?:\/|$)/u.test(new URL(request.url).pathname)) return undefined;
      try {
        for (const route of routes) {
          const answer = await route(request);
          if (answer) return answer;
        }
      } catch (error) {
        if (error instanceof ProviderError) return error.toResponse();
        throw error;
      }
      return undefined;
    },
    async close() {
      await parts.webhooks.close();
      await parts.ledger.settled();
    },
  };
}
