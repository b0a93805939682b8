import * as z from 'zod/mini';
import { askableDetails, stillAsked } from '#domain/checkout/address-hints.ts';
import { customerDetailsSchema } from '#domain/checkout/forms.ts';
import { lineKey, maxSizeLength } from '#domain/catalogue/sizes.ts';
import { paymentWays } from '#domain/sums/payment-way.ts';
import { discountCodeSchema } from '#domain/checkout/discount-refusal.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import { paiseFromRupees } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';

const {
  name,
  email,
  phone,
  address,
  city,
  postalCode,
  notes,
  giftNote,
  recipientName,
  recipientPhone,
  gstin,
} = customerDetailsSchema.shape;

const lineSchema = z.strictObject({
  product_id: z.guid('Not a product id'),
  /** Given for a product with sizes alone. */
  size: z.optional(
    z
      .string('Not a size')
      .check(z.minLength(1, 'Not a size'), z.maxLength(maxSizeLength, 'Not a size')),
  ),
  quantity: z.int('Quantity must be a whole number').check(z.minimum(1), z.maximum(100_000)),
});

/** The body of create-order (spec section 7). Output: the lines with lower-case ids, the expected total in paise. */
export const createOrderRequestSchema = z.pipe(
  z.object({
    customer_name: name,
    customer_email: email,
    customer_phone: phone,
    customer_address: address,
    customer_city: city,
    customer_postal_code: postalCode,
    notes,
    gift_note: giftNote,
    recipient_name: recipientName,
    recipient_phone: recipientPhone,
    customer_gstin: gstin,
    /** The details that the customer was asked about and kept; pages of 1.1.0 do not ask. */
    asked_about: z._default(
      z.array(z.enum(askableDetails)).check(z.maxLength(askableDetails.length)),
      [],
    ),
    products: z.array(lineSchema).check(
      z.minLength(1, 'The cart is empty'),
      z.maxLength(shop.limits.cartLines, 'Too many different pieces in one order'),
      z.refine(
        (lines) =>
          new Set(lines.map((line) => lineKey(line.product_id.toLowerCase(), line.size))).size ===
          lines.length,
        'A piece appears twice',
      ),
    ),
    discount_code: z._default(z.nullable(discountCodeSchema), null),
    payment_way: z._default(z.enum(paymentWays), 'now'),
    total_amount: z.number('Invalid amount value').check(z.positive('Invalid amount value')),
  }),
  z.transform((body, context) => {
    const expectedPaise = paiseFromRupees(body.total_amount);
    if (expectedPaise === null) {
      context.issues.push({
        code: 'custom',
        message: 'Invalid amount value',
        path: ['total_amount'],
        input: body,
      });
      return z.NEVER;
    }
    return {
      lines: body.products.map((line) => ({ ...line, product_id: line.product_id.toLowerCase() })),
      expectedPaise,
      discountCode: body.discount_code,
      way: body.payment_way,
      customer: {
        name: body.customer_name,
        email: body.customer_email,
        phone: body.customer_phone,
        address: body.customer_address,
        city: body.customer_city,
        postal_code: body.customer_postal_code,
        notes: body.notes,
        gift_note: body.gift_note,
        recipient_name: body.recipient_name,
        recipient_phone: body.recipient_phone,
        // A page that is older than the seller's registration may send one.
        gstin: taxStanding().collectsTax ? body.customer_gstin : '',
        asked_about: stillAsked(body.asked_about, {
          phone: body.customer_phone,
          postalCode: body.customer_postal_code,
        }),
      },
    };
  }),
);
export type CreateOrderRequest = z.infer<typeof createOrderRequestSchema>;

/** The header `Idempotency-Key`: one uuid for each try of a purchase. */
export const idempotencyKeySchema = z.uuid('Send an Idempotency-Key');
