import { page } from '../http/page.ts';

/** /local: what the embedded stack has to show. */
export const homePage = (sandboxOrigin: string): Response =>
  page('Embedded stack', `<ul>
<li><a href="/">The shop</a></li>
<li><a href="/local/mailbox">Mailbox</a> (<a href="/local/mailbox.json">JSON</a>)</li>
<li><a href="${sandboxOrigin}/local/razorpay/">Razorpay sandbox</a> (<a href="${sandboxOrigin}/local/razorpay/state.json">JSON</a>)</li>
<li><a href="/local/build-hook">Last build</a></li>
</ul>`);
