import { expect } from '@playwright/test';
import * as z from 'zod';
import { runningShop } from './running-shop.ts';

const mailSchema = z.object({
  id: z.string(),
  to: z.array(z.string()).or(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  links: z.array(z.string()),
});
export type Mail = z.infer<typeof mailSchema>;

/** The mails that the shop sent to an address, newest first. */
export async function mailTo(address: string): Promise<Mail[]> {
  const answer = await fetch(`${runningShop().url}/local/mailbox.json`);
  const mails = z.array(mailSchema).parse(await answer.json());
  return mails.filter((mail) => [mail.to].flat().join(',').toLowerCase().includes(address.toLowerCase()));
}

/** Waits for a mail to the address whose subject or text matches. */
export async function waitForMail(address: string, pattern: RegExp): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        found = (await mailTo(address)).find((mail) => pattern.test(mail.subject) || pattern.test(mail.text));
        return found?.subject;
      },
      { message: `a mail to ${address} about ${String(pattern)}` },
    )
    .toBeTruthy();
  return mailSchema.parse(found);
}
