import { useState, type ChangeEvent } from 'react';
import { claimLimits } from './domain/damage-claim.ts';
import { withoutNotes } from './domain/video-file.ts';
import { readChosenPhoto } from '#services/images/read-chosen-photo.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { ChosenPhoto } from '#islands/shared/ChosenPhoto.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { FileButton } from '#islands/shared/FileButton.tsx';
import { Icon } from '#islands/shared/Icon.tsx';
import type { ClaimForm } from './use-claim.ts';

/** The length of a video in seconds; NaN when this browser cannot tell. */
async function secondsOf(file: Blob): Promise<number> {
  const address = URL.createObjectURL(file);
  try {
    return await new Promise((resolve) => {
      const video = document.createElement('video');
      video.preload = 'metadata';
      video.onloadedmetadata = () => {
        resolve(video.duration);
      };
      video.onerror = () => {
        resolve(Number.NaN);
      };
      video.src = address;
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Why a video cannot be sent; null when it can. */
async function videoRefusal(file: File): Promise<string | null> {
  if (file.size === 0) return 'This video is empty.';
  if (file.size > claimLimits.videoBytes)
    return 'This video is larger than 50 MB. Choose a shorter one, or one of a lower quality.';
  // A second more: phones stop a little late.
  return (await secondsOf(file)) > claimLimits.videoSeconds + 1
    ? 'This video is longer than 30 seconds. Cut it in the gallery of your phone first.'
    : null;
}

/** The customer's words, photos and a video. Everything is stored on the device until it is sent. */
export function ClaimFields({ form }: { form: ClaimForm }) {
  const { draft, change, send, progress, error } = form;
  const [missing, setMissing] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const busy = progress !== null;

  const addPhotos = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(currentTarget.files ?? [])];
    currentTarget.value = '';
    const read = await Promise.all(chosen.map(readChosenPhoto));
    const photos = [...draft.photos, ...read.filter((photo) => typeof photo !== 'string')];
    const refusals = [
      ...read.filter((photo) => typeof photo === 'string'),
      ...(photos.length > claimLimits.photos ? ['Five photos at most.'] : []),
    ];
    setRefused(refusals.length === 0 ? null : refusals.join(' '));
    change({ photos: photos.slice(0, claimLimits.photos) });
  };
  const addVideo = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = '';
    if (!file) return;
    const refusal = await videoRefusal(file);
    setRefused(refusal);
    if (refusal !== null) return;
    try {
      change({ video: { id: crypto.randomUUID(), file: await withoutNotes(file) } });
    } catch (error) {
      console.info('The video cannot be read', error);
      setRefused('This video could not be read. Please choose it again.');
    }
  };

  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        const isBlank = draft.message.trim() === '';
        setMissing(isBlank ? 'Tell us what is damaged.' : null);
        if (isBlank) event.currentTarget.querySelector('textarea')?.focus();
        else void send();
      }}
    >
      <Field
        name="message"
        label="What happened?"
        rows={5}
        required
        maxLength={claimLimits.message}
        value={draft.message}
        error={missing ?? undefined}
        hint="Which product is damaged, and how did the parcel look?"
        onValue={(message) => {
          setMissing(null);
          change({ message });
        }}
      />
      <div className="field">
        <span className="field-label">
          Photos <span className="font-normal text-ink-500">(up to five)</span>
        </span>
        <ul className="flex flex-wrap gap-3">
          {draft.photos.map((photo, index) => (
            <li key={index}>
              <ChosenPhoto
                photo={photo}
                label={`photo ${String(index + 1)}`}
                onRemove={() => {
                  change({ photos: draft.photos.filter((other) => other !== photo) });
                }}
              />
            </li>
          ))}
        </ul>
        {draft.photos.length < claimLimits.photos ? (
          <FileButton
            label={draft.photos.length === 0 ? 'Add photos' : 'Add more photos'}
            accept="image/*"
            multiple
            disabled={busy}
            onChange={(event) => void addPhotos(event)}
          />
        ) : null}
      </div>
      <div className="field">
        <span className="field-label">
          Video <span className="font-normal text-ink-500">(30 seconds, 50 MB at most)</span>
        </span>
        {draft.video === null ? (
          <FileButton
            label="Add a video"
            accept="video/*"
            disabled={busy}
            onChange={(event) => void addVideo(event)}
          />
        ) : (
          <p className="flex items-center justify-between gap-3 border border-line py-1 pr-1 pl-3">
            <span>
              A video of {Math.max(0.1, draft.video.file.size / 1024 / 1024).toFixed(1)} MB
            </span>
            <button
              type="button"
              className="icon-btn"
              aria-label="Remove the video"
              onClick={() => {
                change({ video: null });
              }}
            >
              <Icon name="close" />
            </button>
          </p>
        )}
        <p className="field-hint">
          What your phone stored beside the film, such as the place, is removed before it is sent.
        </p>
      </div>
      {[refused, error].map((sentence) =>
        sentence === null ? null : (
          <p key={sentence} className="text-danger-700" role="alert">
            {sentence}
          </p>
        ),
      )}
      <p role="status" className={progress === null && !draft.isWaiting ? 'hidden' : 'notice'}>
        {progress ??
          'There is no connection. Your report is stored on this device and is sent once you are back online, while this page is open.'}
      </p>
      <BusyButton busy={busy} busyText="Sending…">
        Send report
      </BusyButton>
    </form>
  );
}
