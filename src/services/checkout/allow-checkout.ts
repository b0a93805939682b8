import type { AstroGlobal } from 'astro';
import { checkoutPolicy } from '#domain/checkout/checkout-policy.ts';
import * as environment from '#services/environment.ts';

/** Lets a page, while it is built, load what the payment provider's checkout brings. */
export function allowCheckout(csp: AstroGlobal['csp']): void {
  if (!csp) return;
  const { scripts, directives } = checkoutPolicy(environment.checkoutScript);
  for (const source of ["'self'", ...scripts]) csp.insertScriptResource(source);
  for (const directive of directives) csp.insertDirective(directive);
  // The checkout's script styles its frame by attributes.
  csp.insertStyleResource({ resource: "'unsafe-inline'", kind: 'attribute' });
}
