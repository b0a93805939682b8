import tokens from '../../../tailwind.config.mjs';
import { shop } from '#settings/shop.ts';
import { theme } from '#settings/theme.ts';

const { colors } = tokens.theme;
const { display, text } = theme.fonts;

/** What a customer sees without a connection, whole: nothing of it can be fetched then but the browser's own copies. */
export const offlinePage = `<!doctype html>
<html lang="en-IN">
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>You are offline – ${shop.name}</title>
<style>
@font-face{font-family:"${text.family}";src:url(${text.file});font-weight:400 600}
@font-face{font-family:"${display.family}";src:url(${display.file})}
body{margin:0;background:${colors.mist};color:${colors.ink[900]};font:1.0625rem/1.6 "${text.family}",${text.fallback}}
main{max-width:34rem;margin:0 auto;padding:18vh 1rem 2rem}
h1{font:normal 2rem/1.25 "${display.family}",${display.fallback};margin:0 0 1rem;padding-bottom:1rem;border-bottom:3px double ${colors.accent[500]}}
a{display:inline-block;margin-top:.5rem;padding:.625rem 1.5rem;min-height:2.75rem;box-sizing:border-box;background:${colors.brand[700]};color:#fff;text-decoration:none}
a:focus-visible{outline:3px solid ${colors.ink[900]};outline-offset:2px}
</style>
<main><h1>You are offline</h1>
<p>Your cart is safe: it is stored on this device.</p>
<p>If you were paying, look at your orders before you pay again.</p>
<a href="">Try again</a></main>
</html>`;
