import { mails as own } from '#shop/texts/mails.ts';
import type { MailTexts } from '#shop-schema/shop-schema.ts';

/** The shop's voice in its mails. Functions cannot read the other texts, which are content collections of the pages. */
export const mailTexts: MailTexts = own;
