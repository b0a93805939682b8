import { AdminError, noAnswer, refusal } from '#services/admin/admin-error.ts';
import { withSession } from '#services/admin/api.ts';
import { timeLimit } from '#services/time-limit.ts';

/** The stored data about an address. Throws AdminError, 404 when there is none. */
function fetchPersonalData(email: string, as: 'page' | 'file'): Promise<Blob> {
  return withSession(async () => {
    try {
      const answer = await fetch(`/api/admin/personal-data?as=${as}`, {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
        signal: timeLimit(30_000),
      });
      if (!answer.ok) throw refusal(answer.status, await answer.json());
      return await answer.blob();
    } catch (error) {
      throw error instanceof AdminError ? error : noAnswer(error);
    }
  });
}

/** Saves the stored data about an address to the device, as a page to read or a file for programs. Throws AdminError. */
export async function savePersonalData(email: string, as: 'page' | 'file'): Promise<void> {
  const address = URL.createObjectURL(await fetchPersonalData(email, as));
  const download = as === 'page' ? 'your-data.html' : 'your-data.json';
  Object.assign(document.createElement('a'), { href: address, download }).click();
  URL.revokeObjectURL(address);
}
