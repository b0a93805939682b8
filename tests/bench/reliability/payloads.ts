/** Texts that try to run `ran()`, by the ways that markup, addresses, scripts and templates offer. */
const vectors = [
  '<script>ran()</script>',
  '<img src=x onerror=ran()>',
  '<svg/onload=ran()>',
  '<iframe srcdoc="<script>parent.ran()</script>">',
  '<details open ontoggle=ran()>x',
  '<input autofocus onfocus=ran()>',
  '<a href="javascript:ran()">x</a>',
  '<object data="javascript:ran()">',
  '<style>@import "//elsewhere.example/x.css";</style>',
  '<base href="//elsewhere.example/">',
] as const;

/** Contexts in which the text may stand, and how it would leave them. */
const escapes = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '</script>',
  '</title>',
  '</textarea>',
  '</template>',
  '-->',
  ']]>',
  '\u2028',
] as const;

const others = [
  'javascript:ran()',
  'JaVaScRiPt:ran()//',
  'data:text/html,<script>parent.ran()</script>',
  '" onmouseover="ran()" autofocus onfocus="ran()" x="',
  "' onerror='ran()' x='",
  '");ran();//',
  "');ran();//",
  '\\");ran();//',
  '`+ran()+`',
  '${ran()}',
  '{{constructor.constructor("ran()")()}}',
  '"}</script><script>ran()</script>',
  '<!--<script>ran()//-->',
  '&lt;script&gt;ran()&lt;/script&gt;',
  '&#60;script&#62;ran()&#60;/script&#62;',
  '\\u003cscript\\u003eran()\\u003c/script\\u003e',
  '%3Cscript%3Eran()%3C/script%3E',
  '<scr<script>ipt>ran()</scr</script>ipt>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=ran()>',
  '<meta http-equiv="refresh" content="0;url=javascript:ran()">',
] as const;

/** Every payload once, short enough for every field. */
export const payloads: readonly string[] = [
  ...escapes.flatMap((escape) => vectors.map((vector) => escape + vector)),
  ...others,
].map((payload) => `x${payload}`.slice(0, 99).replace(/^x(?=javascript:|JaVa|data:)/u, ''));
