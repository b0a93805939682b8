import { useStore } from '@nanostores/react';
import { $publishing, publishNow } from '../../../stores/admin-catalogue.ts';
import { ChangeList } from './ChangeList.tsx';
import { describeBuild, describeChanges } from './publish-labels.ts';

/** How far the pages that were built are behind the catalogue, and the button that builds them anew. */
export function PublishBar() {
  const { state, problem, asking } = useStore($publishing);
  if (!state) {
    return problem === null ? <div className="publish-bar" aria-busy="true" /> : <p className="publish-bar text-sm">{problem}</p>;
  }
  const building = state.build.state === 'building';
  const failed = state.build.state === 'failed' || state.build.state === 'late';
  return (
    <section className="publish-bar" aria-label="Publishing" data-tone={failed ? 'failed' : state.count > 0 ? 'waiting' : 'calm'}>
      <div className="publish-words">
        <p role="status">
          <span className="font-medium">{describeChanges(state.count)}</span>
          <span className="publish-build">
            {building ? <span className="spinner" aria-hidden="true" /> : null} {describeBuild(state)}
          </span>
        </p>
        {problem === null ? null : <p className="field-error">{problem}</p>}
        {state.count > 0 ? <ChangeList state={state} /> : null}
      </div>
      {state.configured ? (
        <button type="button" className="btn btn-secondary" aria-busy={asking} onClick={() => asking || building || void publishNow()} aria-disabled={building}>
          {building ? 'Building…' : 'Publish now'}
        </button>
      ) : null}
    </section>
  );
}
