import type { Mail } from './mail.ts';

/** What a mail is composed of: the order's row, if any, and the payload. */
export interface MailContent {
  order: unknown;
  payload: unknown;
}

/** One composer for each kind of mail. They are pure and throw for content they cannot read. */
export type LetterKinds = Readonly<Record<string, (content: MailContent) => Mail>>;
