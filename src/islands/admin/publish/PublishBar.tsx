import { useState } from 'react';
import { publishApi, type PublishState } from '#domain/admin/publish.ts';
import { callAdmin } from '#services/admin/api.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { LoadState } from '#islands/admin/shared/fetching/LoadState.tsx';
import { showResponse } from '#islands/admin/shared/fetching/query-client.ts';
import { useAction, type Action } from '#islands/admin/shared/use-action.ts';
import { ChangeList } from './ChangeList.tsx';
import {
  describeBuild,
  describeChanges,
  describeCost,
  describeLast,
  describeNext,
} from './publish-labels.ts';
import { publishingKey, usePublishing } from './use-publishing.ts';

const bar =
  'flex min-h-[4.75rem] flex-wrap items-center justify-between gap-x-6 gap-y-3 border border-l-3 border-line bg-white px-[1.125rem] py-3.5 text-sm/relaxed';

interface PublishButtonProps {
  state: PublishState;
  action: Action;
  /** Requests a build. Returns false when that failed. */
  publish: () => Promise<boolean>;
}

/** Publishes at once, or asks first when few of the month's deploys are left. */
function PublishButton({ state, action, publish }: PublishButtonProps) {
  const [asking, setAsking] = useState(false);
  const last = describeLast(state);
  const building = state.build.state === 'building';
  const press = () => {
    if (building) return;
    if (last === null) void publish();
    else setAsking(true);
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-secondary min-h-11 px-5"
        aria-busy={action.busy}
        onClick={press}
        aria-disabled={building}
      >
        {building ? 'Building…' : 'Publish now'}
      </button>
      {asking && last !== null ? (
        <DialogForm
          title="Publish now?"
          action={action}
          submitText="Yes, publish"
          busyText="Publishing…"
          dismissText="Not now"
          onClose={() => {
            setAsking(false);
          }}
          onSubmit={() =>
            void publish().then((done) => {
              if (done) setAsking(false);
            })
          }
        >
          <p className="text-ink-700">{last}</p>
        </DialogForm>
      ) : null}
    </>
  );
}

/** How far the pages that were built are behind the catalogue, and the button that builds them anew. */
export function PublishBar() {
  const { data: state, ...loadState } = usePublishing();
  const action = useAction();
  const load = (
    <LoadState
      {...loadState}
      shown={state !== null}
      failed="The publishing state could not be loaded"
    />
  );
  if (state === null)
    return loadState.error === null ? (
      <div className={`${bar} border-l-brand-600`} aria-busy="true" />
    ) : (
      load
    );
  const publish = () =>
    action.run('Not published', async () => {
      showResponse(publishingKey, await callAdmin(publishApi.request, { body: {} }));
    });
  const building = state.build.state === 'building';
  const failed = state.build.state === 'failed' || state.build.state === 'late' || state.empty;
  const edge = failed
    ? 'border-l-danger-700'
    : state.count > 0
      ? 'border-l-accent-500'
      : 'border-l-brand-600';
  return (
    <section className={`${bar} ${edge}`} aria-label="Publishing">
      <div className="flex-[1_1_16rem]">
        <p role="status" className="flex flex-wrap gap-x-2">
          <span className="font-medium">{describeChanges(state)}</span>
          <span className="inline-flex items-center gap-2 text-ink-500">
            {building ? <span className="spinner" aria-hidden="true" /> : null}{' '}
            {describeBuild(state)}
          </span>
        </p>
        <p className="text-ink-700">
          {describeNext(state)} {describeCost(state)}
        </p>
        {load}
        <ActionError error={action.error} />
        {state.build.reason === null || state.empty ? null : (
          <details>
            <summary className="flex min-h-11 items-center text-ink-700 underline decoration-accent-500 underline-offset-[0.25em]">
              For the person who maintains your site
            </summary>
            <p className="wrap-anywhere text-ink-700">{state.build.reason}</p>
          </details>
        )}
        {state.count > 0 ? <ChangeList state={state} /> : null}
      </div>
      {state.configured ? <PublishButton state={state} action={action} publish={publish} /> : null}
    </section>
  );
}
