import * as z from 'zod/mini';
import { shop } from '#settings/shop.ts';
import type { Paise } from '#domain/money.ts';
import { changes } from '#domain/admin/endpoint.ts';
import { paiseFromText } from '#domain/admin/typed-rupees.ts';
import { orderAnswerSchema } from '#domain/admin/orders/orders-api.ts';
import { customerDetailsSchema } from '#domain/checkout/forms.ts';
import { salesChannels } from '#domain/orders/sales-channel.ts';
import { maxSizeLength } from '#domain/catalogue/sizes.ts';
import { typedLine } from '#domain/typed-text.ts';

/** The ways of payment that the admin takes by hand. */
export const handMethods = ['cash', 'upi', 'bank'] as const;

/** Hours for which a payment link may hold stock. */
export const linkHours = { min: 1, usual: 24, max: 168 } as const;

const { name, email, phone, address, city, postalCode, notes } = customerDetailsSchema.shape;
/** Either blank or as the shop's own form takes it, with its message. */
const blankOr = (schema: z.ZodMiniType<string>) =>
  z.string().check(typedLine(), (typed) => {
    const issue = typed.value === '' ? undefined : schema.safeParse(typed.value).error?.issues[0];
    if (issue) typed.issues.push({ code: 'custom', message: issue.message, input: typed.value });
  });

const common = {
  /** Created once per form, so that repeated requests make one order. */
  key: z.uuid(),
  lines: z
    .array(
      z.object({
        product_id: z.guid(),
        size: z.optional(z.string().check(z.minLength(1), z.maxLength(maxSizeLength))),
        quantity: z.int().check(z.minimum(1, 'At least one piece'), z.maximum(100_000)),
      }),
    )
    .check(
      z.minLength(1, 'Choose a product'),
      z.maxLength(
        shop.limits.cartLines,
        `At most ${String(shop.limits.cartLines)} different products`,
      ),
    ),
  channel: z.enum(salesChannels),
  name,
  email: blankOr(email),
  notes,
  /** The discount on the items, in paise. */
  reductionPaise: z._default(z.int().check(z.nonnegative()), 0),
  /** The total that the form showed, in paise. */
  totalPaise: z.int().check(z.positive()),
  payment: z.discriminatedUnion('by', [
    z.object({
      by: z.literal('link'),
      hours: z
        .int('Give the hours as a whole number')
        .check(
          z.minimum(linkHours.min, 'At least one hour'),
          z.maximum(linkHours.max, 'At most 168 hours, a week'),
        ),
    }),
    z.object({
      by: z.enum(handMethods),
      reference: z
        .string()
        .check(typedLine(), z.maxLength(60, 'A reference has at most 60 characters')),
    }),
  ]),
};

/**
 * Body of POST /api/admin/orders: a sale outside the shop. An order handed over needs no address, and when it is paid
 * at once no phone number; one that is sent needs the same as an order of the shop.
 */
export const newOrderSchema = z.discriminatedUnion('handOver', [
  z.object({ ...common, handOver: z.literal(false), phone, address, city, postalCode }),
  z.object({ ...common, handOver: z.literal(true), phone: blankOr(phone) }).check(
    z.refine(({ phone: typed, payment }) => typed !== '' || payment.by !== 'link', {
      path: ['phone'],
      message: 'A payment link needs the customer’s phone number',
    }),
  ),
]);
export type NewOrder = z.infer<typeof newOrderSchema>;

/** Reads what is typed as the reduction of a price; nothing typed is none. The error is a sentence for its field. */
export function readReduction(
  text: string,
  subtotal: Paise,
): { paise: Paise; error?: undefined } | { error: string } {
  const paise = text.trim() === '' ? 0 : paiseFromText(text);
  if (paise === null) return { error: 'Write an amount in rupees, such as 200 or 149.50' };
  if (paise > 0 && paise >= subtotal)
    return { error: 'The reduction must be below the price of the products' };
  return { paise };
}

export const newOrderApi = {
  /** Makes the order of a sale outside the shop, once for its key. */
  create: changes('POST', '/api/admin/orders', newOrderSchema, orderAnswerSchema),
};
