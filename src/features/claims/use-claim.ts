import { useCallback, useEffect, useRef, useState } from 'react';
import type { ClaimState } from './domain/damage-claim.ts';
import { isOffline, isRefusedFile, sendClaim, uploadPhoto, uploadVideo } from './send-claim.ts';
import {
  emptyDraft,
  forgetClaimDraft,
  readClaimDraft,
  writeClaimDraft,
  type ClaimDraft,
} from './claim-draft.ts';
import { reasonOf } from '#services/connection.ts';

export interface ClaimForm {
  draft: ClaimDraft;
  change: (changes: Partial<ClaimDraft>) => void;
  send: () => Promise<void>;
  /** The part that is being sent now; null while nothing is. */
  progress: string | null;
  error: string | null;
}

/** The claim as it is written, stored on the device at every change, and sent when there is a connection. */
export function useClaimForm(
  token: string,
  orderId: number,
  onSent: (state: ClaimState) => void,
): ClaimForm | null {
  const [draft, setDraft] = useState<ClaimDraft | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  // Photos that have arrived: a second try does not send them again.
  const arrived = useRef(new Map<Blob, string>());
  const isSending = useRef(false);

  useEffect(() => {
    void readClaimDraft(orderId).then(setDraft);
  }, [orderId]);

  const change = useCallback(
    (changes: Partial<ClaimDraft>) => {
      setError(null);
      setDraft((before) => {
        const next = { ...(before ?? emptyDraft), isWaiting: false, ...changes };
        void writeClaimDraft(orderId, next);
        return next;
      });
    },
    [orderId],
  );

  const send = useCallback(async () => {
    if (draft === null || isSending.current) return;
    isSending.current = true;
    setError(null);
    try {
      const photos: string[] = [];
      const refused = new Map<Blob, string>();
      for (const [index, photo] of draft.photos.entries()) {
        setProgress(`Sending photo ${String(index + 1)} of ${String(draft.photos.length)}…`);
        const keep = draft.photos.flatMap((other) => arrived.current.get(other) ?? []);
        try {
          const path = arrived.current.get(photo) ?? (await uploadPhoto(token, photo, keep));
          arrived.current.set(photo, path);
          photos.push(path);
        } catch (thrown) {
          if (!isRefusedFile(thrown)) throw thrown;
          const name = photo instanceof File ? photo.name : `Photo ${String(index + 1)}`;
          refused.set(photo, `${name}: ${reasonOf(thrown)}`);
        }
      }
      if (draft.video !== null)
        await uploadVideo(token, draft.video.id, draft.video.file, (done, of) => {
          setProgress(`Sending the video: ${String(Math.round((done / of) * 100))} %…`);
        });
      // Somebody who is there may have a better photo; what waited for a connection goes without it.
      if (refused.size > 0 && !draft.isWaiting) {
        change({ photos: draft.photos.filter((photo) => !refused.has(photo)) });
        setError(
          `${[...refused.values()].join(' ')} It is left out. Add another one, or send the report without it.`,
        );
        return;
      }
      setProgress('Sending your report…');
      const video =
        draft.video === null ? null : { id: draft.video.id, bytes: draft.video.file.size };
      const state = await sendClaim(token, { message: draft.message, photos, video });
      await forgetClaimDraft(orderId);
      onSent(state);
    } catch (thrown) {
      if (isOffline(thrown)) change({ isWaiting: true });
      else {
        // The shop may have deleted what it does not take, so the next try sends everything again.
        arrived.current.clear();
        setError(reasonOf(thrown));
      }
    } finally {
      isSending.current = false;
      setProgress(null);
    }
  }, [draft, token, orderId, onSent, change]);

  const isWaiting = draft?.isWaiting === true;
  useEffect(() => {
    if (!isWaiting) return;
    const retry = (): void => {
      void send();
    };
    window.addEventListener('online', retry);
    const timer = setInterval(retry, 30_000);
    return () => {
      window.removeEventListener('online', retry);
      clearInterval(timer);
    };
  }, [isWaiting, send]);

  return draft === null ? null : { draft, change, send, progress, error };
}
