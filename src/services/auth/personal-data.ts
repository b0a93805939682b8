import * as v from '#domain/validate.ts';
import { getAccessToken } from './account.ts';
import { timeLimit } from '#services/time-limit.ts';

const parseSent = v.object({ email: v.string });
const parseRefusal = v.object({ message: v.string });

/** Has the link mailed that deletes the account. Returns the address that it goes to. Throws an Error with a sentence for the customer. */
export async function askAccountDeletion(): Promise<string> {
  const token = await getAccessToken();
  if (token === null) throw new Error('Please sign in again.');
  const answer = await fetch('/api/my-data/delete', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: timeLimit(15_000),
  });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(parseRefusal(body).message);
  return parseSent(body).email;
}
