import { describe, expect, test } from 'vitest';
import { isPictureAddress, readPictureDataUrl } from '../../../src/domain/admin/data-url.ts';
import { readAdminRoute } from '../../../src/domain/admin/page-route.ts';
import type { PublishState } from '../../../src/domain/admin/publish.ts';
import { autoPublishMs, autoPublishWait } from '../../../src/domain/admin/publish-timing.ts';
import { eachRow } from '../../each-row.ts';

describe('the address of the owner’s page', () => {
  test('leads to the section or the order that it names, or else to the shop', () =>
    eachRow([
      ['', { section: 'shop' }],
      ['#', { section: 'shop' }],
      ['#elsewhere', { section: 'shop' }],
      ['#orders', { section: 'orders', orderId: null }],
      ['#orders?filter=to_pack&q=a/b', { section: 'orders', orderId: null }],
      ['#orders/1001', { section: 'orders', orderId: 1001 }],
      ['#orders/0', { section: 'orders', orderId: null }],
      ['#orders/x', { section: 'orders', orderId: null }],
      ['#inbox', { section: 'inbox', kind: 'messages' }],
      ['#inbox/forms', { section: 'inbox', kind: 'forms' }],
      ['#inbox/nothing', { section: 'inbox', kind: 'messages' }],
    ], ([hash, route]) => {
      expect(readAdminRoute(hash)).toEqual(route);
    }),
  );
});

describe('publishing by itself', () => {
  const now = Date.parse('2026-11-21T10:00:00.000Z');
  const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();
  const state = (secondsAgo: number, build: Partial<PublishState['build']> = {}): PublishState => ({
    changes: [{ productId: 'p', name: 'Mala', kind: 'changed', at: at(secondsAgo) }],
    count: 1,
    build: { state: 'published', startedAt: at(3_600), publishedAt: at(3_500), reason: null, ...build },
    configured: true,
  });

  test('waits half a minute after the last edit', () => {
    expect(autoPublishWait(state(0), now)).toBe(autoPublishMs);
    expect(autoPublishWait(state(20), now)).toBe(10_000);
    expect(autoPublishWait(state(600), now)).toBe(0);
  });

  test('never waits longer because the owner’s clock is slow', () => {
    expect(autoPublishWait(state(-300), now)).toBe(autoPublishMs);
  });

  test('does nothing without a change, without a hook, or while a build is under way', () => {
    expect(autoPublishWait({ ...state(60), changes: [], count: 0 }, now)).toBeNull();
    expect(autoPublishWait({ ...state(60), configured: false }, now)).toBeNull();
    expect(autoPublishWait(state(60, { state: 'building' }), now)).toBeNull();
  });

  test('does not repeat a build that failed after the last change', () => {
    expect(autoPublishWait(state(60, { state: 'failed', startedAt: at(30) }), now)).toBeNull();
    expect(autoPublishWait(state(10, { state: 'failed', startedAt: at(30) }), now)).toBe(20_000);
  });
});

describe('an address typed for a picture', () => {
  test('a data URL is read to its bytes', () => {
    expect(readPictureDataUrl('data:image/png;base64,iVBO')).toEqual({ type: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x4e) });
  });

  test('is no data URL of a picture when it is another kind of address', () =>
    eachRow(['data:text/html;base64,PGI+', 'data:image/png,abc', 'data:image/png;base64,!', 'https://a.example/b.png'], (text) => {
      expect(readPictureDataUrl(text)).toBeNull();
    }),
  );

  test('is an address only with http or https', () =>
    eachRow([
      ['https://a.example/b.png', true],
      ['http://a.example/b', true],
      ['javascript:alert(1)', false],
      ['//a.example/b.png', false],
      ['https://a example/b.png', false],
      ['', false],
    ], ([text, is]) => {
      expect(isPictureAddress(text)).toBe(is);
    }),
  );
});
