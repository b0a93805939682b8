import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { browserFile } from '#local/emulators/http/browser-script.ts';
import { dropAnswer, json, type Handler } from '#local/emulators/http/handler.ts';
import { escapeHtml, page } from '#local/emulators/http/page.ts';

/*
 * A stand-in for Cloudflare Turnstile: its script, the frame of its widget, and siteverify. On with SHOP_TURNSTILE=1, at
 * /local/turnstile/ of the stack's other origin. Its answers are those of developers.cloudflare.com/turnstile.
 */
const modes = {
  pass: 'Every visitor passes without a press',
  ask: 'The widget asks for a press',
  fail: 'siteverify refuses every token',
  expire: 'siteverify says that the token has expired',
  unreachable: 'Neither script nor siteverify answers',
} as const;
type Mode = keyof typeof modes;

const home = '/local/turnstile/';
const tokenSeconds = 300;
const modeSchema = z.object({ mode: z.enum(Object.keys(modes) as [Mode, ...Mode[]]) });
const verifySchema = z.object({ secret: z.string(), response: z.string() });

export interface TurnstileKeys {
  siteKey: string;
  secretKey: string;
}

export interface Turnstile {
  handle: Handler;
  /** The answer of siteverify for a token, as the auth service of Supabase requests it; null when it cannot be reached. */
  verify: (secret: string, token: string) => Record<string, unknown> | null;
}

/** Modes and tokens live as long as the stack. */
export function createTurnstile(keys: TurnstileKeys, shop: string): Turnstile {
  let mode: Mode = 'pass';
  const tokens = new Map<string, { action: string; at: number }>();

  const verify: Turnstile['verify'] = (secret, token) => {
    if (mode === 'unreachable') return null;
    const refuse = (code: string) => ({ success: false, 'error-codes': [code] });
    if (secret !== keys.secretKey) return refuse('invalid-input-secret');
    const made = tokens.get(token);
    tokens.delete(token);
    if (mode === 'fail') return refuse('invalid-input-response');
    if (mode === 'expire' || !made || Date.now() - made.at > tokenSeconds * 1_000)
      return refuse('timeout-or-duplicate');
    const { hostname } = new URL(shop);
    return { success: true, 'error-codes': [], action: made.action, hostname };
  };

  const widgetPage = (query: URLSearchParams): Response => {
    const token = randomUUID();
    if (query.get('sitekey') !== keys.siteKey) return new Response(null, { status: 400 });
    tokens.set(token, { action: query.get('action') ?? '', at: Date.now() });
    const box = mode === 'ask' ? '<label><input type="checkbox"> Verify you are human</label>' : '';
    const html = `<!doctype html>
<html lang="en" data-token="${token}" data-asks="${mode === 'ask' ? 'yes' : ''}"><head><meta charset="utf-8"><title>Security check</title></head><body>${box}<script src="frame.js"></script></body></html>`;
    const policy = `default-src 'none'; script-src 'self'; frame-ancestors ${shop}; base-uri 'none'`;
    const type = 'text/html; charset=utf-8';
    return new Response(html, {
      headers: {
        'content-type': type,
        'content-security-policy': policy,
        'cache-control': 'no-store',
      },
    });
  };

  const changeMode = async (request: Request): Promise<Response> => {
    if (request.method === 'DELETE') mode = 'pass';
    else if (request.method === 'POST') {
      const isForm = (request.headers.get('content-type') ?? '').includes('form');
      const input: unknown = isForm
        ? Object.fromEntries(await request.formData())
        : await request.json();
      const parsed = modeSchema.safeParse(input);
      if (!parsed.success)
        return json({ message: `The modes are ${Object.keys(modes).join(', ')}.` }, 400);
      ({ mode } = parsed.data);
      if (isForm) return new Response(null, { status: 303, headers: { location: home } });
    }
    return json({ mode });
  };

  return {
    verify,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === '/turnstile/v0/siteverify' && request.method === 'POST') {
        const { secret, response } = verifySchema.parse(await request.json());
        const answer = verify(secret, response);
        return answer === null ? dropAnswer(new Response()) : json(answer);
      }
      if (!`${pathname}/`.startsWith(home)) return undefined;
      switch (pathname.slice(home.length)) {
        case 'api.js':
          return mode === 'unreachable'
            ? dropAnswer(new Response())
            : browserFile(join(import.meta.dirname, 'api.ts'));
        case 'frame.js':
          return browserFile(join(import.meta.dirname, 'frame.ts'));
        case 'frame':
          return widgetPage(searchParams);
        case 'mode':
          return changeMode(request);
        case '':
          return modePage(mode);
        default:
          return undefined;
      }
    },
  };
}

function modePage(mode: Mode): Response {
  const rows = Object.entries(modes).map(
    ([name, text]) =>
      `<p><label><input type="radio" name="mode" value="${name}"${name === mode ? ' checked' : ''}> <code>${name}</code> ${escapeHtml(text)}</label></p>`,
  );
  return page(
    'Turnstile stand-in',
    `<form method="post" action="${home}mode">${rows.join('\n')}<button>Set</button></form>`,
  );
}
