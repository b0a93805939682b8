import * as z from 'zod';
import { isGstin, tidyGstin } from '#domain/checkout/gstin.ts';
import { states } from '#domain/checkout/postal-code.ts';
import { readCategory } from './category-of-words.ts';
import { shopSchema } from '#shop-schema/shop-schema.ts';

const word = (value: string): string => value.trim().replaceAll(/\s+/gu, ' ');
const list = (value: string): string[] => value.split(',').map(word).filter(Boolean);
/** '12, Temple Road, Jaipur' as two lines: the number of a house stands before its street. */
const addressLines = (value: string): string[] =>
  list(value.replaceAll(/(^|,)([^\p{L},]+),/gu, '$1$2\0')).map((line) => line.replace('\0', ','));

/** What `npm run new-shop` asks, in its order: the question, what stands for no answer, and how an answer is read. */
export const questions = {
  name: {
    ask: 'What is your shop called?',
    otherwise: 'My Shop',
    read: z.string().transform(word).pipe(shopSchema.shape.name),
  },
  state: {
    ask: 'From which state do you send?',
    otherwise: 'Kerala',
    read: z.string().transform((typed, context) => {
      const state = states.find(({ name }) => name.toLowerCase() === word(typed).toLowerCase());
      if (state !== undefined) return state;
      context.addIssue(`choose one of ${states.map(({ name }) => name).join(', ')}`);
      return z.NEVER;
    }),
  },
  gstin: {
    ask: 'Your GSTIN (or none)',
    otherwise: 'none',
    read: z
      .string()
      .transform((typed) => (/^none$/iu.test(word(typed)) ? null : tidyGstin(typed)))
      .refine((gstin) => gstin === null || isGstin(gstin), {
        error: 'this is no GSTIN; compare it with your certificate, or answer none',
      }),
  },
  address: {
    ask: 'Your address, with commas between its lines',
    otherwise: 'Building 00 (replace), Example Road (replace)',
    read: z
      .string()
      .transform(addressLines)
      .pipe(z.array(z.string()).min(2, 'give street and town')),
  },
  phone: {
    ask: 'Your phone number for customers',
    otherwise: '+91 00000 00000',
    read: z
      .string()
      .transform(word)
      .pipe(z.string().regex(/^\+?[\d ]{8,20}$/u, 'give digits, such as +91 98470 12345')),
  },
  mail: {
    ask: 'Your e-mail address for customers',
    otherwise: 'care@myshop.example',
    read: z.string().transform(word).pipe(z.email('give an e-mail address')),
  },
  whatsapp: {
    ask: 'Your WhatsApp number, with 91 in front',
    otherwise: '910000000000',
    read: z
      .string()
      .transform((typed) => typed.replaceAll(/\D/gu, ''))
      .pipe(z.string().regex(/^\d{11,15}$/u, 'give country code and number: 919847012345')),
  },
  categories: {
    ask: 'What do you sell? Categories, with commas between them; one in another script as झुमके = jhumke',
    otherwise: 'Rings, Necklaces, Bracelets, Earrings, Anklets',
    read: z.string().transform((typed, context) => {
      const read = list(typed).map(readCategory);
      const categories = read.filter((one) => typeof one !== 'string');
      const faults = read.filter((one) => typeof one === 'string');
      const twice = categories.find(({ slug }, index) =>
        categories.slice(0, index).some((other) => other.slug === slug),
      );
      const fault =
        faults[0] ??
        (read.length === 0
          ? 'give at least one category'
          : read.length > 10
            ? `give at most ten; these are ${String(read.length)}`
            : twice === undefined
              ? undefined
              : `"${twice.name}" would have the address /shop/${twice.slug} like another one: give it another name`);
      if (fault === undefined) return categories;
      context.addIssue(fault);
      return z.NEVER;
    }),
  },
  colour: {
    ask: 'The colour of buttons and bands',
    otherwise: '#4a2545',
    read: z
      .string()
      .transform((typed) => word(typed).toLowerCase())
      .pipe(z.string().regex(/^#[\da-f]{6}$/u, "give '#' and six letters or digits: #4a2545")),
  },
  products: {
    ask: 'Begin with the demo products that fit your categories, or empty?',
    otherwise: 'empty',
    read: z
      .string()
      .transform((typed) => word(typed).toLowerCase())
      .pipe(z.enum(['demo', 'empty'], 'answer demo or empty')),
  },
} as const;

type Questions = typeof questions;
export type Question = keyof Questions;
/** An answer to each question, as it was read. */
export type ShopAnswers = { [name in Question]: z.output<Questions[name]['read']> };
