import { isLinkSignature, signLink } from '../platform/link-signature.ts';

/** How long after its order was placed a link works. */
export const trackLinkDays = 180;

const purpose = 'order tracking';

/** The path of an order's tracking page. All mails of an order carry the same one. */
export const trackPath = (orderId: string): string =>
  `/track/${orderId}-${signLink(purpose, orderId)}`;

/** The order of a link's token; null when it is cut or changed. */
export function orderOfTrackToken(token: string | undefined): number | null {
  const [, id = '', signature = ''] = /^([1-9]\d{0,14})-([\w-]{43})$/u.exec(token ?? '') ?? [];
  return id !== '' && isLinkSignature(purpose, id, signature) ? Number(id) : null;
}
