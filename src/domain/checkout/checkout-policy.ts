import { isUrl } from '#domain/is-url.ts';
/*
 * The origins that Razorpay's Checkout needs in the page's policy. Razorpay publishes no list for web checkout: these are the
 * origins that its own extension for Magento allows (razorpay-magento, etc/csp_whitelist.xml), and those that shops with
 * this Checkout were seen to need besides: the frame of checkout., the calls to api. and lumberjack-cx., and the form post
 * with which `redirect: true` leaves the page.
 */
const scripts: readonly string[] = ['https://checkout.razorpay.com', 'https://cdn.razorpay.com'];
const others = {
  'connect-src': [
    'https://api.razorpay.com',
    'https://checkout.razorpay.com',
    'https://lumberjack.razorpay.com',
    'https://lumberjack-cx.razorpay.com',
    'https://lumberjack-metrics.razorpay.com',
  ],
  'form-action': ['https://api.razorpay.com', 'https://checkout.razorpay.com'],
  'frame-src': ['https://api.razorpay.com', 'https://checkout.razorpay.com'],
  'img-src': ['https://cdn.razorpay.com', 'https://checkout.razorpay.com'],
} as const;

/** A line of a content security policy, e.g. `frame-src https://api.razorpay.com`. */
type Directive = `${keyof typeof others} ${string}`;

/**
 * The origins for /cart and /pay, and no other page: those of scripts, and the other directives. `script` is the address of the
 * checkout's script; the embedded sandbox serves all of it from there, so where a provider's origin is missing, so is its.
 */
export function checkoutPolicy(script: string): { scripts: string[]; directives: Directive[] } {
  const origin = isUrl(script) ? new URL(script).origin : '';
  const sandbox = origin === '' || scripts.includes(origin) ? [] : [origin];
  const names = Object.keys(others) as (keyof typeof others)[];
  return {
    scripts: [...scripts, ...sandbox],
    directives: names.map(
      (name): Directive => `${name} ${[...others[name], ...sandbox].join(' ')}`,
    ),
  };
}
