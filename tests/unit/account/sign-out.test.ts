import { beforeEach, expect, test, vi } from 'vitest';
import { openBrowser } from '#tests/unit/support/browser.ts';

const signOut = vi.fn<() => Promise<boolean>>();
vi.mock('#services/auth/account.ts', () => ({ signOut }));

/** An IndexedDB that answers the deletion of a database with an event; null refuses every access. */
function openFiles(answer: 'success' | 'error' | 'blocked' | null): string[] {
  const deleted: string[] = [];
  vi.stubGlobal('indexedDB', {
    deleteDatabase(name: string) {
      if (answer === null) throw new Error('SecurityError');
      deleted.push(name);
      const request: Partial<Record<`on${string}`, () => void>> = {};
      queueMicrotask(() => request[`on${answer}`]?.());
      return request;
    },
  });
  return deleted;
}
const assign = vi.fn<(path: string) => void>();
const leave = async (): Promise<boolean> => {
  const { signOutAndLeave } = await import('#stores/sign-out.ts');
  return signOutAndLeave();
};

beforeEach(() => {
  openBrowser();
  Object.assign(window, { location: { assign } });
  vi.stubGlobal('sessionStorage', localStorage);
  signOut.mockResolvedValue(true);
  assign.mockClear();
});

test.each(['success', 'error', 'blocked'] as const)(
  'signing out deletes unsent reports of damage from a shared phone, also when the browser answers %s',
  async (answer) => {
    const deleted = openFiles(answer);
    expect(await leave()).toBe(true);
    expect(deleted).toEqual(['kasavu']);
    expect(assign).toHaveBeenCalledExactlyOnceWith('/');
  },
);

test('signing out leaves where the browser stores no files', async () => {
  openFiles(null);
  await leave();
  expect(assign).toHaveBeenCalledExactlyOnceWith('/');
});

test('a failed sign-out keeps the reports, and says so to the button', async () => {
  signOut.mockResolvedValue(false);
  const deleted = openFiles('success');
  expect(await leave()).toBe(false);
  expect(deleted).toEqual([]);
  expect(assign).not.toHaveBeenCalled();
});
