import type { PublishState } from '#domain/admin/publish.ts';
import { usePublishing } from './use-publishing.ts';

function labelOf({ count, build }: PublishState): string {
  if (build.state === 'failed') return 'Publishing failed';
  if (build.state === 'late') return 'Publishing is late';
  if (build.state === 'building') return 'Being published';
  return count === 1 ? 'Publish 1 change' : `Publish ${String(count)} changes`;
}

/**
 * The way to where changes are published, while customers do not see all of them yet. It comes late and after each edit, so
 * it stands beside the count of the list: in a line of its own it would move the rows away from under a finger.
 */
export function UnpublishedLink() {
  const { data: state } = usePublishing();
  if (!state || (state.count === 0 && state.build.reason === null)) return null;
  return (
    <a className="link inline-block py-2.5 text-sm/relaxed" href="#more">
      {labelOf(state)}
    </a>
  );
}
