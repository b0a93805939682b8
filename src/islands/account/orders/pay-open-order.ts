import { limitTexts } from '#domain/cart/cart-limits.ts';
import { cartOf, keyOf, type CartItem } from '#domain/cart/cart.ts';
import type { OwnOrder } from '#domain/orders/own-order.ts';
import { fetchCurrentProducts } from '#services/catalogue/current-catalogue.ts';
import { recordHold } from '#services/storage/checkout-attempt.ts';
import { checkDiscount } from '#services/checkout/discount.ts';
import { discountCodeOf } from '#domain/orders/order.ts';
import { shop } from '#settings/shop.ts';
import { $cart } from '#stores/cart.ts';
import { saveCheckoutDraft } from '#services/storage/stored-details.ts';
import { $discount } from '#stores/discount.ts';
import { $session } from '#stores/session.ts';
import { showToastAcrossPages } from '#stores/toasts-across-pages.ts';
import { leavePage } from '#services/leave-page.ts';

/** The order's lines as lines of the cart. What the order holds is still the customer's, so it counts as stock. */
async function linesOf({ items }: OwnOrder): Promise<CartItem[]> {
  const products = await fetchCurrentProducts(items.flatMap(({ productId }) => productId ?? []));
  return items.flatMap(({ productId, size, quantity }): CartItem[] => {
    const product = products.find(({ id }) => id === productId);
    if (!product) return [];
    const { id, name, category, images, price, offerPrice } = product;
    const left =
      size === undefined
        ? product.stock
        : (product.sizes.find((one) => one.size === size)?.stock ?? 0);
    const stock = left + quantity;
    return [{ id, size, name, category, images: [...images], price, offerPrice, stock, quantity }];
  });
}

/** The details of the order are what its customer typed for it: the profile has those of a paid one. */
function fillDetails(order: OwnOrder): void {
  const session = $session.get();
  if (session.state !== 'signed-in') return;
  const { customerName: name, customerPhone: phone, address, city, postalCode } = order;
  const { giftNote, recipientName, recipientPhone } = order;
  saveCheckoutDraft(session.user.id, {
    name,
    phone,
    address,
    city,
    postalCode,
    giftNote,
    recipientName,
    recipientPhone,
  });
}

/**
 * Goes to the cart with the open order's items in it, at the details of its payment: the server reuses the order of the
 * same cart. Other items of the cart stay in it. @throws when the catalogue cannot be reached.
 */
export async function payOpenOrder(order: OwnOrder): Promise<void> {
  const lines = await linesOf(order);
  recordHold(
    lines.map(({ id, size, quantity }) => ({ id, size, quantity })),
    Date.parse(order.holdExpiresAt ?? ''),
  );
  const keys = new Set(lines.map(keyOf));
  const before = $cart.get().items.filter((item) => !keys.has(keyOf(item)));
  const others = before.slice(0, shop.limits.cartLines - lines.length);
  $cart.set(cartOf([...lines, ...others]));
  if (others.length < before.length) {
    const [title, description] = limitTexts.lines;
    showToastAcrossPages(title, { description, durationMs: 8_000 });
  }
  fillDetails(order);
  const code = discountCodeOf(order);
  if (code !== null && $discount.get()?.code !== code) {
    const answer = await checkDiscount(code);
    if (answer.kind === 'terms') $discount.set(answer.terms);
  }
  if (others.some(({ quantity }) => quantity > 0))
    showToastAcrossPages('Your cart holds more than this order', {
      description: 'You pay for everything in the cart. Remove what you do not want now.',
      durationMs: 8_000,
    });
  leavePage('/cart?checkout=1');
}
