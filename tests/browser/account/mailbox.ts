import { expect } from '@playwright/test';
import * as z from 'zod';
import { codeLength } from '#domain/account/mailed-code.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';

const mailSchema = z.object({
  subject: z.string(),
  text: z.string(),
  links: z.array(z.string()),
});
export type Mail = z.infer<typeof mailSchema>;

/** The mails that the shop sent to an address, newest first. */
export async function mailTo(address: string): Promise<Mail[]> {
  const query = new URLSearchParams({ to: address });
  const answer = await fetch(`${runningShop().url}/local/mailbox.json?${String(query)}`);
  return z.array(mailSchema).parse(await answer.json());
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

/** The code of the newest mail with one: `confirm` is the mail of a sign-up, `enter` every later one. */
export async function waitForCode(address: string, kind: 'confirm' | 'enter'): Promise<string> {
  const subject = { confirm: /^\d+: confirm/u, enter: /^\d+ is your code/u }[kind];
  return (await waitForMail(address, subject)).subject.slice(0, codeLength);
}

/** Waits for a mail to the address whose text has the words. */
export async function waitForMailSaying(address: string, words: string): Promise<Mail> {
  return waitFor(
    address,
    (mail) => mail.text.includes(words),
    `a mail to ${address} that says ${words}`,
  );
}
