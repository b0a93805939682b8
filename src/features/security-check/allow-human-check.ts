import type { AstroGlobal } from 'astro';

/**
 * Lets a page, while it is built, load Turnstile: its script and the frame of its widget
 * (developers.cloudflare.com/turnstile/reference/content-security-policy). `script` is the address of the script.
 */
export function allowHumanCheck(csp: AstroGlobal['csp'], script: string): void {
  if (!csp) return;
  const { origin } = new URL(script);
  for (const source of ["'self'", origin]) csp.insertScriptResource(source);
  csp.insertDirective(`frame-src ${origin}`);
}
