import { useEffect, useState } from 'react';
import { fetchVideo } from './fetch-video.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';

/** The video of a claim, fetched on request: it can have 50 MB. */
export function ClaimVideo({ parts }: { parts: readonly string[] }) {
  const [address, setAddress] = useState<string | null>(null);
  const action = useAction();
  useEffect(
    () => () => {
      if (address !== null) URL.revokeObjectURL(address);
    },
    [address],
  );
  if (address !== null)
    return (
      <video className="mt-3 max-h-96 w-full bg-ink-900" src={address} controls autoPlay muted />
    );
  return (
    <>
      <button
        type="button"
        className="btn btn-secondary btn-small mt-3"
        aria-busy={action.busy}
        onClick={() =>
          void action.run('The video was not loaded', async () => {
            setAddress(URL.createObjectURL(await fetchVideo(parts)));
          })
        }
      >
        {action.busy ? 'Loading…' : 'Play the video'}
      </button>
      <ActionError error={action.error} />
    </>
  );
}
