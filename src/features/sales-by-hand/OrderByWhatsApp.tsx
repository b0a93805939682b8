import { useStore } from '@nanostores/react';
import type { CartSummary } from '#domain/cart/cart-summary.ts';
import { emptyCart } from '#domain/cart/cart.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { formatRupees } from '#domain/money.ts';
import { sellerChat } from '#domain/seller-chat.ts';
import { shop } from '#settings/shop.ts';
import { $cart } from '#stores/cart.ts';
import { orderLinkPath } from './domain/order-link.ts';

/** A chat with the shop that has the cart in it, with a link that makes it an order. */
export function OrderByWhatsApp({ summary }: { summary: CartSummary }) {
  const { items } = useStore($cart, { ssr: () => emptyCart });
  const lines = items.filter(({ quantity, size }) => quantity > 0 && size !== '');
  if (lines.length === 0) return null;
  const text = [
    `Hello ${shop.name}, I would like to order:`,
    ...lines.map(({ name, size, quantity }) => `${String(quantity)} × ${sizedName(name, size)}`),
    `Total ${formatRupees(summary.total)}`,
    '',
    new URL(orderLinkPath(lines), window.location.origin).href,
  ].join('\n');
  return (
    <a
      className="btn btn-secondary btn-block"
      href={sellerChat(text)}
      target="_blank"
      rel="noopener noreferrer"
    >
      Order on WhatsApp<span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
