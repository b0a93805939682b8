import type { Order } from '#domain/orders/order.ts';
import { isLinkSignature, signLink } from '#core/platform/link-signature.ts';

/*
 * The links of an order that work without login. Each is for one purpose, so that the link of the tracking page, which people
 * forward, opens no invoice.
 */
const purposes = {
  track: 'order tracking',
  invoice: 'order invoice',
  claim: 'damage claim',
  review: 'product review',
} as const;
type Purpose = keyof typeof purposes;

type LinkedOrder = Pick<Order, 'id' | 'linkVersion'>;

/** The days for which a link works: since the order was placed, the delivery (without one since it was placed), the shipping, the delivery. */
export const linkDays = { track: 180, invoice: 30, claim: 180, review: 180 } as const;

/** '1001', or '1001.2' once the admin has withdrawn links. */
const signedText = ({ id, linkVersion }: LinkedOrder): string =>
  linkVersion === 0 ? id : `${id}.${String(linkVersion)}`;

function tokenOf(purpose: Purpose, order: LinkedOrder): string {
  const text = signedText(order);
  return `${text}-${signLink(purposes[purpose], text)}`;
}

const pathOf: Readonly<Record<Purpose, (token: string) => string>> = {
  track: (token) => `/track/${token}`,
  invoice: (token) => `/track/${token}/invoice`,
  // Browsers never send the part after # to a server as an address.
  claim: (token) => `/damage#${token}`,
  review: (token) => `/review#${token}`,
};

/** The path of an order's tracking page, of its invoice, of the page where damage is reported, or of the one for reviews. */
export const orderPath = (purpose: Purpose, order: LinkedOrder): string =>
  pathOf[purpose](tokenOf(purpose, order));

/** The order of a link's token, to compare with the order's own version; null when the token is cut or changed. */
export function readLinkToken(
  purpose: Purpose,
  token: string | null | undefined,
): { id: number; linkVersion: number } | null {
  const [, text = '', id = '', version = '0', signature = ''] =
    /^(([1-9]\d{0,14})(?:\.([1-9]\d{0,8}))?)-([\w-]{43})$/u.exec(token ?? '') ?? [];
  return text !== '' && isLinkSignature(purposes[purpose], text, signature)
    ? { id: Number(id), linkVersion: Number(version) }
    : null;
}

/** Whether `days` days have passed since a time (ISO 8601). */
export const isOlderThan = (time: string, days: number): boolean =>
  !(Date.now() - Date.parse(time) < days * 86_400_000);
