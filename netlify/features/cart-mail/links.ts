import { lineText } from '#domain/cart/linked-lines.ts';
import type { OrderItem } from '#domain/orders/order.ts';
import { isLinkSignature, signLink } from '#core/platform/link-signature.ts';
import { siteAddress } from '#core/mail/mail.ts';

/** The page that opens these lines in a cart. Browsers never send the part after # to a server. */
export const cartLink = (items: readonly OrderItem[]): string => {
  const lines = items.flatMap(({ productId, size, quantity }) =>
    productId === null ? [] : [{ id: productId, size, quantity }],
  );
  return siteAddress(`/left-cart#${lineText(lines)}`);
};

const purpose = 'no mail about carts';

/**
 * The page on which an address refuses further mails about carts. Its token has the hash of the address, so that it works for good:
 * without an account, and long after the order has forgotten its customer.
 */
export const unsubscribeLink = (addressHash: string): string =>
  siteAddress(`/cart-mail/unsubscribe?token=${addressHash}-${signLink(purpose, addressHash)}`);

/** The hash of the address in a link's token; null when the token is cut or changed. */
export function readUnsubscribeToken(token: string | null): string | null {
  const [, hash = '', signature = ''] = /^([\da-f]{64})-([\w-]{43})$/u.exec(token ?? '') ?? [];
  return hash !== '' && isLinkSignature(purpose, hash, signature) ? hash : null;
}
