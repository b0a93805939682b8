import { useStore } from '@nanostores/react';
import { $publishing } from '../../../stores/admin-catalogue.ts';
import { describeChanges } from './publish-labels.ts';

/** Above the list while customers do not see all of it yet: the way to where it is published. */
export function UnpublishedNote() {
  const { state } = useStore($publishing);
  if (!state || (state.count === 0 && state.build.reason === null)) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 text-sm/relaxed text-ink-700">
      {describeChanges(state)}
      <a className="link inline-block py-2.5" href="#more">
        Publish
      </a>
    </p>
  );
}
