import { expect, test } from 'vitest';
import type { PublishState } from '#domain/admin/publish.ts';
import {
  describeBuild,
  describeChanges,
  describeCost,
  describeEdit,
  describeLast,
  describeNext,
} from '#islands/admin/publish/publish-labels.ts';

const state = (changes: Partial<PublishState> = {}): PublishState => ({
  changes: [],
  count: 2,
  nextAt: null,
  deploys: null,
  build: {
    state: 'failed',
    startedAt: null,
    publishedAt: '2026-11-20T20:00:00Z',
    reason: 'Build script returned non-zero exit code: 2',
  },
  empty: false,
  configured: true,
  ...changes,
});

test('when every product is hidden the owner reads that and what to do, and is sent to nobody', () => {
  const empty = state({ empty: true });
  expect(describeChanges(empty)).toContain('so there is nothing to publish.');
  expect(describeBuild(empty)).toMatch(/^Show or add a product, and publish again\./u);
  expect(describeBuild(state())).toContain('tell the person who maintains your site');
});

const published: PublishState['build'] = {
  state: 'published',
  startedAt: null,
  publishedAt: '2026-11-20T20:00:00Z',
  reason: null,
};

test('the owner reads when changes are published by themselves, and that prices need no build', () => {
  const waiting = (nextAt: string | null) => describeNext(state({ build: published, nextAt }));
  expect(waiting('2050-04-01T15:30:00Z')).toMatch(
    /^Published by itself at 1 Apr 2050, 9:00\spm\.$/u,
  );
  expect(waiting('2026-11-20T20:00:00Z')).toBe('Published by itself within minutes.');
  expect(waiting(null)).toBe('Customers see these changes already; the next build takes them in.');
  expect(describeNext(state({ build: published, count: 0 }))).toBe('');
});

test('Publish now says what it takes of the month, and asks when a tenth is left', () => {
  const used = (count: number) => state({ deploys: { used: count, perMonth: 60 } });
  expect([describeCost(state()), describeCost(used(8))]).toEqual([
    '',
    '‘Publish now’ takes the 9th of 60 this month.',
  ]);
  expect([describeLast(state()), describeLast(used(53))]).toEqual([null, null]);
  expect(describeLast(used(54))).toMatch(/^6 of this month’s 60 deploys are left\./u);
  expect(describeLast(used(60))).toContain('used up');
});

test('an edit says where customers see it now, and when everywhere', () => {
  const added = { productId: 'a', name: 'Ring', kind: 'added', at: '', needsBuild: true } as const;
  const nextAt = '2050-04-01T15:30:00Z';
  const told = (change: Partial<PublishState['changes'][number]>, next: string | null = nextAt) =>
    describeEdit(state({ changes: [{ ...added, ...change }], nextAt: next }), [
      { id: 'a', hidden: false },
    ]);
  expect(told({ kind: 'changed', needsBuild: false })).toBe('Customers see this now.');
  expect(told({})).toMatch(/^On its own page now, in the shop at 1 Apr 2050, 9:00\spm\.$/u);
  expect(told({ kind: 'changed' }, null)).toBe(
    'Price and stock are seen now, the rest when you publish.',
  );
  expect(describeEdit(state(), [{ id: 'b', hidden: true }])).toBe('Customers do not see this.');
  // What else waits is not of this edit.
  expect(told({ productId: 'b' })).toBe('Customers see this now.');
});
