import { claimTokenPattern } from '../../../src/domain/orders/damage-claim.ts';
import { isLinkSignature, signLink } from '../platform/link-signature.ts';

const purpose = 'damage claim';

/** The path of the page where damage of an order is reported. The part after # is never sent to a server as an address. */
export const claimPath = (orderId: string): string =>
  `/damage#${orderId}-${signLink(purpose, orderId)}`;

/** The order of a link's token; null when it is cut or changed. */
export function orderOfClaimToken(token: string | null): number | null {
  const [, id = '', signature = ''] = claimTokenPattern.exec(token ?? '') ?? [];
  return id !== '' && isLinkSignature(purpose, id, signature) ? Number(id) : null;
}
