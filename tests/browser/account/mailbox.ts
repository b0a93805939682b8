import { expect } from '@playwright/test';
import * as z from 'zod';
import { runningShop } from '../support/running-shop.ts';

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
  return mails.filter((mail) =>
    [mail.to].flat().join(',').toLowerCase().includes(address.toLowerCase()),
  );
}

async function waitFor(
  address: string,
  wanted: (mail: Mail) => boolean,
  message: string,
): Promise<Mail> {
  let found: Mail | undefined;
  const look = async () => {
    found = (await mailTo(address)).find(wanted);
    return found?.subject;
  };
  await expect.poll(look, { message }).toBeTruthy();
  return mailSchema.parse(found);
}

/** Waits for a mail to the address whose subject matches. */
export async function waitForMail(address: string, subject: RegExp): Promise<Mail> {
  return waitFor(
    address,
    (mail) => subject.test(mail.subject),
    `a mail to ${address} about ${String(subject)}`,
  );
}

/** Waits for a mail to the address whose text has the words. */
export async function waitForMailSaying(address: string, words: string): Promise<Mail> {
  return waitFor(
    address,
    (mail) => mail.text.includes(words),
    `a mail to ${address} that says ${words}`,
  );
}
