import { Webhook } from 'standardwebhooks';
import sendEmailEndpoint from '#netlify/functions/send-email.ts';
import { hookSecret, type Answer, type Stack } from '#tests/functions/support/stack.ts';

interface HookCall {
  user?: { id: string; email: string };
  action: string;
  token?: string;
  ip?: string;
  secret?: string;
  /** Time of the signature. */
  at?: Date;
  /** Changes the body after it was signed. */
  change?: (body: string) => string;
}

/** A message as Supabase Auth sends it (supabase/auth, internal/hooks/v0hooks), with more than the shop reads. */
export async function callHook(
  stack: Stack,
  {
    user = { id: crypto.randomUUID(), email: 'anjali@example.com' },
    action,
    token = '48151623',
    ip = '203.0.113.9',
    secret = hookSecret,
    at = new Date(),
    change = (body) => body,
  }: HookCall,
): Promise<Answer> {
  const id = crypto.randomUUID();
  const body = JSON.stringify({
    metadata: { uuid: crypto.randomUUID(), time: at, name: 'send-email', ip_address: ip },
    user: { aud: 'authenticated', role: '', phone: '', identities: [], ...user },
    email_data: {
      token,
      token_hash: 'a'.repeat(56),
      redirect_to: 'https://kasavu.example/auth',
      email_action_type: action,
      site_url: 'https://project.supabase.co/auth/v1',
      token_new: '',
      token_hash_new: '',
    },
  });
  return stack.call(sendEmailEndpoint, '/api/send-email', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret.replace('v1,', '')).sign(id, at, body),
    },
    body: change(body),
  });
}

/** Has Auth send a code to this customer's account. Whether the shop sent it. */
export async function isCodeSent(
  stack: Stack,
  { customer, ip }: { customer: { id: string; email: string }; ip: string },
  action: 'signup' | 'recovery',
): Promise<boolean> {
  const { json } = await callHook(stack, { user: customer, action, ip });
  return json['error'] === undefined;
}
