import * as z from 'zod/mini';
import type { AskableDetail } from './address-hints.ts';
import { destinationRefusal } from './destination.ts';
import { phoneRefusal, readPhone } from './phone.ts';
import { pinRefusal } from './postal-code.ts';
import { isGstin, tidyGstin } from './gstin.ts';
import { maxSizeLength } from '#domain/catalogue/sizes.ts';
import { typedLine, typedLines } from '#domain/typed-text.ts';

/*
 * One schema a form, used by the form and by the server. Every text is tidied first. Where the spec gives one
 * message for a field, being too short says it; being too long says how long it may be.
 */
const text = (
  minLength: number,
  maxLength: number,
  tooShort: string,
  label: string,
  typed = typedLine,
) =>
  z
    .string(tooShort)
    .check(
      typed(),
      z.minLength(minLength, tooShort),
      z.maxLength(maxLength, `${label} must be at most ${String(maxLength)} characters`),
    );

const optionalText = (maxLength: number, label: string, typed = typedLine) =>
  z._default(
    z
      .string()
      .check(
        typed(),
        z.maxLength(maxLength, `${label} must be at most ${String(maxLength)} characters`),
      ),
    '',
  );

/** Adds the sentence of the first rule that refuses a text. Blank is for the length to refuse, where it may not be. */
const refusedBy = (...rules: readonly ((value: string) => string | null)[]) =>
  z.check<string>(({ value, issues }) => {
    if (value === '') return;
    const message = rules.map((refusal) => refusal(value)).find((sentence) => sentence !== null);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });

const emailAddress = z
  .string('Invalid email')
  .check(typedLine(), z.maxLength(255, 'Invalid email'), z.email('Invalid email'));

/** Delivery and contact details of an order (spec section 5). Every door that takes an address for an order checks by it. */
export const customerDetailsSchema = z.object({
  name: text(2, 100, 'Name must be at least 2 characters', 'Name'),
  email: emailAddress,
  phone: text(10, 20, 'Phone number must be at least 10 digits', 'Phone number').check(
    refusedBy(phoneRefusal),
  ),
  address: text(10, 500, 'Address must be at least 10 characters', 'Address', typedLines),
  city: text(2, 100, 'City must be at least 2 characters', 'City'),
  postalCode: text(4, 10, 'Postal code must be at least 4 characters', 'Postal code').check(
    refusedBy(pinRefusal, (pin) => destinationRefusal(pin)),
  ),
  notes: optionalText(1000, 'Notes', typedLines),
  /** Printed on the packing slip; '' when the order is no gift. */
  giftNote: optionalText(200, 'Gift note', typedLines),
  /** Who gets a gift; '' for the customer. The courier calls this number, and nobody may know better about it. */
  recipientName: optionalText(100, 'Name').check(
    z.refine((value) => value === '' || value.length >= 2, 'Name must be at least 2 characters'),
  ),
  recipientPhone: optionalText(20, 'Phone number').check(
    refusedBy(phoneRefusal),
    z.refine(
      (value) => value === '' || readPhone(value) !== null,
      'Phone numbers in India have ten digits.',
    ),
  ),
  gstin: z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(tidyGstin)),
      z
        .string()
        .check(
          z.refine(
            (value) => value === '' || isGstin(value),
            'This is not a GSTIN: 15 characters, such as 32AABCU9603R1ZW',
          ),
        ),
    ),
    '',
  ),
});
export type CustomerDetails = z.infer<typeof customerDetailsSchema>;
/** The details, with those that the customer was asked about and kept. */
export type ConfirmedDetails = CustomerDetails & { askedAbout: readonly AskableDetail[] };

const emptyAsNull = z.transform((value: string) => (value === '' ? null : value));
const optionalColumn = (maxLength: number, label: string, typed = typedLine) =>
  z.pipe(optionalText(maxLength, label, typed), emptyAsNull);

/** The profile form (spec section 5). Output: empty optional values are null, as stored. */
export const profileFormSchema = z.object({
  full_name: text(2, 100, 'Name must be at least 2 characters', 'Name'),
  phone: z.pipe(
    optionalText(15, 'Phone').check(
      z.refine((value) => value === '' || value.length >= 10, 'Phone must be at least 10 digits'),
      refusedBy(phoneRefusal),
    ),
    emptyAsNull,
  ),
  address: optionalColumn(200, 'Address', typedLines),
  city: optionalColumn(100, 'City'),
  postal_code: z.pipe(optionalText(20, 'Postal code').check(refusedBy(pinRefusal)), emptyAsNull),
});
export type ProfileForm = z.infer<typeof profileFormSchema>;

/** Sign in, sign up and new-password forms. */
export const credentialsSchema = z.object({
  email: z
    .string('Email is required')
    .check(
      typedLine(),
      z.minLength(1, 'Email is required'),
      z.maxLength(255, 'Invalid email'),
      z.email('Invalid email'),
    ),
  password: z
    .string('Password is required')
    .check(
      z.minLength(1, 'Password is required'),
      z.minLength(6, 'Password must be at least 6 characters'),
      z.maxLength(72, 'Password must be at most 72 characters'),
    ),
});

/** A password to be set. bcrypt, by which Auth keeps it, reads 72 bytes and no more: that is 24 letters of an Indian script. */
export const newPasswordSchema = credentialsSchema.shape.password.check(
  z.refine(
    (password) => new TextEncoder().encode(password).length <= 72,
    'Password is too long: at most 24 letters of Indian scripts or 18 emoji',
  ),
);
export type Credentials = z.infer<typeof credentialsSchema>;

/** The sentence under each field of the contact form that is blank. The toast has the spec's words for all of them. */
export const missingContact = {
  name: 'Please tell us your name.',
  email: 'Please tell us your e-mail address.',
  message: 'Please write your message.',
} as const;

/** The contact form (spec section 5). */
export const contactSchema = z.object({
  name: text(1, 100, missingContact.name, 'Name'),
  email: z
    .string(missingContact.email)
    .check(
      typedLine(),
      z.minLength(1, missingContact.email),
      z.maxLength(255, 'Invalid email'),
      z.email('Invalid email'),
    ),
  subject: optionalText(200, 'Subject'),
  message: text(1, 5000, missingContact.message, 'Message', typedLines),
});

/** The newsletter box. */
export const newsletterSchema = z.object({ email: emailAddress });

/** The form beside a sold-out product; a size of a product that has some, '' for none. */
export const stockAlertSchema = z.object({
  email: emailAddress,
  product_id: z.guid('Not a product of this shop'),
  size: z._default(
    z.pipe(z.string().check(z.maxLength(maxSizeLength, 'Not a size')), emptyAsNull),
    null,
  ),
});

/** Messages by field, the first one of each, e.g. `{ name: 'Name must be at least 2 characters' }`. */
export type FieldErrors<T> = Partial<Record<keyof T & string, string>>;

/** The outcome of parsing a form: its values, or one message a field. */
export type FormResult<T> = { ok: true; values: T } | { ok: false; errors: FieldErrors<T> };

/** Parses a form's raw values with its schema. */
export function parseForm<T>(schema: z.ZodMiniType<T>, raw: unknown): FormResult<T> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { ok: true, values: parsed.data };
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= issue.message;
  }
  return { ok: false, errors: errors as FieldErrors<T> };
}
