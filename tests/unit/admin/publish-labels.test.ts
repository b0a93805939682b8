import { expect, test } from 'vitest';
import type { PublishState } from '../../../src/domain/admin/publish.ts';
import {
  describeBuild,
  describeChanges,
} from '../../../src/islands/admin/publish/publish-labels.ts';

const state = (changes: Partial<PublishState> = {}): PublishState => ({
  changes: [],
  count: 2,
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
  expect(describeChanges(empty)).toBe(
    'All products are hidden or deleted, so there is nothing to publish.',
  );
  expect(describeBuild(empty)).toMatch(
    /^Show or add a product, and publish again\. Until then customers see the pages of 21 Nov/u,
  );
  expect(describeBuild(empty)).not.toContain('maintains');
  expect(describeBuild(state())).toContain('tell the person who maintains your site');
});
