type Answered = { first_day?: string } | null | undefined;

/** The notice of this moment, from the CDN, null for none; undefined without an answer. To be read by `parseNotice`. */
export const fetchNotice = (): Promise<Answered> =>
  fetch('/api/notice')
    .then((answer): Promise<{ notice?: Answered }> => answer.json())
    .then(({ notice }) => notice, () => undefined);
