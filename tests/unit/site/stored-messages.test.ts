import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeMessage, takeStoredMessages } from '#services/storage/stored-messages.ts';
import { takePageMessages } from '#stores/toasts-across-pages.ts';
import { stubStorage } from '#tests/unit/support/browser.ts';

let stored: Map<string, string>;
let documents = 0;
/** Opens the next page of the tab. */
function openPage(): Document {
  documents += 1;
  vi.stubGlobal('performance', { timeOrigin: documents, now: () => Date.now() });
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  return page as Document;
}

beforeEach(() => {
  vi.useFakeTimers();
  stored = stubStorage('sessionStorage');
  openPage();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the page that stored a message never takes it, and takes those of the page before', () => {
  const message = { title: 'Logged in!', tone: 'success' } as const;
  storeMessage(message);
  openPage();
  storeMessage({ title: 'Payment Completed' });
  expect(takeStoredMessages()).toEqual([message]);
  expect(takeStoredMessages()).toEqual([]);
  openPage();
  expect(takeStoredMessages()).toMatchObject([{ title: 'Payment Completed' }]);
});

test('a page that is left as soon as it shows a message leaves it to the next page; one that stayed does not', () => {
  storeMessage({ title: 'Signed out successfully' });
  const redirect = openPage();
  takePageMessages();
  redirect.dispatchEvent(new Event('pagehide'));
  const read = openPage();
  expect(takePageMessages()).toMatchObject([{ title: 'Signed out successfully' }]);
  vi.advanceTimersByTime(1_500);
  read.dispatchEvent(new Event('pagehide'));
  openPage();
  expect(takeStoredMessages()).toEqual([]);
});

test('messages are dropped when the page was not left within a minute, and when they are unreadable', () => {
  storeMessage({ title: 'Old' });
  openPage();
  vi.advanceTimersByTime(60_001);
  expect(takeStoredMessages()).toEqual([]);
  for (const text of ['[{"title":5,"until":9e15},"x"]', 'broken']) {
    stored.set('kasavu:toasts', text);
    expect(takeStoredMessages()).toEqual([]);
  }
});
