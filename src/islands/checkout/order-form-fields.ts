import type { Cart } from '#domain/cart/cart.ts';
import type { CustomerDetails } from '#domain/checkout/forms.ts';
import type { orderFormFields } from '#domain/checkout/order-form.ts';
import { formatRupees, rupeesFromPaise, type Paise } from '#domain/money.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';

/** The charged items as one text, e.g. 'Theyyam ring x 2 = ₹9,800.00; Jhumka x 1 = ₹3,200.00'. */
export function describeProducts(cart: Cart): string {
  return cart.items
    .filter((item) => item.quantity > 0)
    .map(
      (item) =>
        `${sizedName(item.name, item.size)} x ${String(item.quantity)} = ${formatRupees(chargedPrice(item) * item.quantity)}`,
    )
    .join('; ');
}

/** The fields posted to the form-collection service for an order; the field `total` is in rupees. */
export function orderFormValues(
  details: CustomerDetails,
  cart: Cart,
  total: Paise,
): Record<(typeof orderFormFields)[number], string> {
  const { name, email, phone, address, city, postalCode, notes } = details;
  return {
    name,
    email,
    phone,
    address,
    city,
    postalCode,
    notes,
    total: rupeesFromPaise(total).toFixed(2),
    products: describeProducts(cart),
  };
}
