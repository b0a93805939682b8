import { createFaultBoard, type FaultBoard } from './faults.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { startWebhooks, type WebhookSender } from './webhooks.ts';

export interface SandboxOptions {
  /** The file that stores orders, payments, refunds and deliveries. */
  file: string;
  /** The shop's address, e.g. `http://localhost:8888`: webhooks go there, and its pages alone open the checkout. */
  origin: string;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

/** State that the routes of the sandbox share. */
export interface SandboxParts extends SandboxOptions {
  ledger: Ledger;
  faults: FaultBoard;
  webhooks: WebhookSender;
}

/** Opens the ledger in the file of the options and starts the sender of webhooks. */
export async function createSandboxParts(options: SandboxOptions): Promise<SandboxParts> {
  const ledger = await createLedger(options.file);
  const faults = createFaultBoard();
  const target = { url: `${options.origin}/api/payment/webhook`, secret: options.webhookSecret };
  return { ...options, ledger, faults, webhooks: startWebhooks(ledger, faults, target) };
}
