/** What the server says of the notice; `notice` is to be read by `parseNotice`. */
export interface NoticeAnswer {
  notice: unknown;
  /** Whether its first day has come. */
  begun: boolean;
}

/** The notice of this moment, from the CDN; undefined without an answer. */
export const fetchNotice = (): Promise<NoticeAnswer | undefined> =>
  fetch('/api/notice').then(async (answer) => (answer.ok ? ((await answer.json()) as NoticeAnswer) : undefined), () => undefined);
