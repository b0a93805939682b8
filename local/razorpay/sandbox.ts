import type { Handler } from '../http/handler.ts';
import { apiRoutes } from './api-routes.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { controlRoutes } from './control-routes.ts';
import { openFaultBoard, type FaultBoard } from './faults.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { ProviderError } from './provider-error.ts';
import { startWebhooks, type WebhookSender } from './webhooks.ts';

export interface SandboxOptions {
  /** The file that keeps orders, payments, refunds and deliveries. */
  file: string;
  /** The shop's address, e.g. `http://localhost:8888`: webhooks go there, and its pages alone open the checkout. */
  origin: string;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

/** What the routes of the sandbox share. */
export interface SandboxParts extends SandboxOptions {
  ledger: Ledger;
  faults: FaultBoard;
  webhooks: WebhookSender;
}

export interface Sandbox {
  /** Handles everything below /local/razorpay/. */
  handle: Handler;
  close: () => Promise<void>;
}

/** A payment provider of this machine: Razorpay's API, checkout script and webhooks, with no money in it. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ledger = await openLedger(options.file);
  const faults = openFaultBoard();
  const target = { url: `${options.origin}/api/payment/webhook`, secret: options.webhookSecret };
  const webhooks = startWebhooks(ledger, faults, target);
  const parts: SandboxParts = { ...options, ledger, faults, webhooks };
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
      await webhooks.close();
      await ledger.settled();
    },
  };
}
