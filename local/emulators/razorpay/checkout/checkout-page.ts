import { join } from 'node:path';
import * as z from 'zod';
import { browserFile } from '#local/emulators/http/browser-script.ts';
import { escapeHtml } from '#local/emulators/http/page.ts';
import { parseInput } from '#local/emulators/razorpay/orders.ts';
import { readInput } from '#local/emulators/razorpay/read-input.ts';
import { ProviderError } from '#local/emulators/razorpay/provider-error.ts';
import type { SandboxParts } from '#local/emulators/razorpay/sandbox-parts.ts';

const postedSchema = z.object({ options: z.string() });
const windowSchema = z.looseObject({
  key: z.string(),
  order_id: z.string(),
  callback_url: z.url(),
});

/**
 * The page of the checkout: fetched by GET for the frame that the shop's page opens, or by a form post with the
 * checkout's options for the whole window (`redirect: true`). Throws ProviderError when those options cannot be used.
 */
export async function checkoutPage(
  request: Request,
  { origin, keyId }: SandboxParts,
): Promise<Response> {
  if (request.method === 'GET') return answerPage(origin, '');
  const { options } = parseInput(postedSchema, await readInput(request));
  const { key, callback_url: callback } = parseInput(windowSchema, readJson(options));
  if (key !== keyId) throw new ProviderError('The api key provided is invalid', { status: 401 });
  // The page's policy lets it post there alone.
  if (new URL(callback).origin !== origin)
    throw new ProviderError('The callback url is not of this shop', { field: 'callback_url' });
  return answerPage(origin, ` data-options="${escapeHtml(options)}"`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError('The options are no JSON', { field: 'options' });
  }
}

function answerPage(shop: string, attributes: string): Response {
  const html = `<!doctype html>
<html lang="en" data-shop="${shop}"${attributes}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Razorpay sandbox</title>
<link rel="stylesheet" href="dialog.css"><script src="dialog.js" defer></script></head><body></body></html>`;
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    `form-action ${shop}; frame-ancestors ${shop}; base-uri 'none'`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    },
  });
}

const files: ReadonlyMap<string, string> = new Map([
  ['checkout.js', 'checkout.ts'],
  ['checkout/dialog.js', 'checkout-dialog.ts'],
  ['checkout/dialog.css', 'checkout-dialog.css'],
]);

/** A script or style of the checkout by its path under /local/razorpay/; undefined when there is none. */
export async function checkoutFile(path: string): Promise<Response | undefined> {
  const name = files.get(path);
  return name === undefined ? undefined : browserFile(join(import.meta.dirname, name));
}
