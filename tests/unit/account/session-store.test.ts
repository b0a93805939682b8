import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openBrowser, type FakeBrowser } from '#tests/unit/support/browser.ts';

const key = 'kasavu:auth';
const asha = { id: 'u1', email: 'asha@example.com', name: 'Asha Menon' };
const stored = (name: string) =>
  JSON.stringify({
    access_token: 'a',
    refresh_token: 'r',
    user: { id: 'u1', email: 'asha@example.com', user_metadata: { name } },
  });
const openPage = () => import('#stores/session.ts');

describe('the session store', () => {
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = openBrowser();
  });

  test('then is signed in with the stored session, signed out without one', async () => {
    const before = await openPage();
    before.$session.listen(() => undefined);
    expect(before.$session.get()).toEqual({ state: 'signed-out' });
    browser = openBrowser();
    browser.store(key, stored('Asha Menon'));
    const after = await openPage();
    after.$session.listen(() => undefined);
    expect(after.$session.get()).toEqual({ state: 'signed-in', user: asha });
  });

  test('follows signing in and out in another tab, and reports each change once', async () => {
    const { $session, setSessionUser } = await openPage();
    const states: string[] = [];
    $session.subscribe(({ state }) => {
      states.push(state);
    });
    browser.otherTab(key, stored('Asha Menon'));
    expect($session.get()).toEqual({ state: 'signed-in', user: asha });
    setSessionUser({ ...asha });
    browser.otherTab('another key', 'x');
    browser.otherTab(key, null);
    browser.otherTab(key, stored('Asha Menon'));
    browser.otherTabClears();
    // Where the listening starts, the store first tells what it was.
    expect(states.filter((state) => state !== 'loading')).toEqual([
      'signed-out',
      'signed-in',
      'signed-out',
      'signed-in',
      'signed-out',
    ]);
  });

  test('takes over a changed name', async () => {
    const { $session, setSessionUser } = await openPage();
    setSessionUser(asha);
    setSessionUser({ ...asha, name: 'Asha M' });
    expect($session.value).toEqual({ state: 'signed-in', user: { ...asha, name: 'Asha M' } });
    setSessionUser(null);
    expect($session.value).toEqual({ state: 'signed-out' });
  });
});

test('on the server, where there is no window, the session stays loading', async () => {
  vi.resetModules();
  const { $session } = await openPage();
  $session.listen(() => undefined);
  expect($session.get()).toEqual({ state: 'loading' });
});
