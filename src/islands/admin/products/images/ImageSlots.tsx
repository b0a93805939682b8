import { useEffect, useId, useRef, useState } from 'react';
import type { Images } from './images.ts';
import type { ImageSlot as Slot } from './image-slot.ts';
import { CutDialog } from './CutDialog.tsx';
import { ImageSlot } from './ImageSlot.tsx';

interface ImageSlotsProps {
  images: Images;
  slots: readonly Slot[];
  error: string | undefined;
}

/** The status of the slots as uploads end, for screen readers. */
function useUploadAnnouncement(slots: readonly Slot[]): string {
  const before = useRef<ReadonlyMap<number, string>>(new Map());
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const now = new Map(
      slots.map(({ key, upload, entry }) => [
        key,
        upload?.state ?? (entry === '' ? 'empty' : 'there'),
      ]),
    );
    for (const [index, { key }] of slots.entries()) {
      if (
        before.current.get(key) !== 'sending' ||
        now.get(key) === 'sending' ||
        now.get(key) === 'asking'
      )
        continue;
      setAnnouncement(
        `Picture ${String(index + 1)} ${now.get(key) === 'there' ? 'is uploaded' : 'could not be sent'}.`,
      );
    }
    before.current = now;
  }, [slots]);
  return announcement;
}

/** The three images of a product. The first is the one on its card. */
export function ImageSlots({ images, slots, error }: ImageSlotsProps) {
  const id = useId();
  const announcement = useUploadAnnouncement(slots);
  const [cutting, setCutting] = useState<number | null>(null);
  // One after another: first those that wait for it, else the one whose tool was pressed.
  const at = slots.findIndex(({ upload }) => upload?.state === 'asking');
  const index =
    at === -1 ? slots.findIndex(({ key, original }) => key === cutting && original !== null) : at;
  const cut = slots[index];
  const file = cut?.upload?.state === 'asking' ? cut.upload.source : cut?.original;
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="field-label">Pictures</legend>
      <p className="field-hint" id={`${id}-hint`}>
        Up to three. The first is the product’s card. The last appears on the card under a mouse and
        by a swipe: show it on a person there, that sells most. Take them by a window, without
        flash, and lay a coin beside it once, so that people see how large it is.
        <span className="pointer-coarse:hidden"> You can also drop files here, or paste them.</span>
      </p>
      {error === undefined ? null : <p className="field-error">{error}</p>}
      <ol className="mt-3 grid gap-3 md:grid-cols-3">
        {slots.map((slot, index) => (
          <ImageSlot
            key={slot.key}
            slot={slot}
            index={index}
            last={slots.length - 1}
            images={images}
            onCut={() => setCutting(slot.key)}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {cut && file ? (
        <CutDialog
          key={`${String(cut.key)} ${String(at === -1)}`}
          file={file}
          title={
            at === -1
              ? `Crop or turn picture ${String(index + 1)}`
              : `Picture ${String(index + 1)} is not square`
          }
          onDone={(blob) => {
            setCutting(null);
            images.answer(cut.key, blob);
          }}
        />
      ) : null}
    </fieldset>
  );
}
