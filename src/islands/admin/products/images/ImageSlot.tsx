import { useRef, useState, type DragEvent } from 'react';
import { minFeedSide, placeholderImage } from '#domain/image.ts';
import { showToast } from '#stores/toasts.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { ImageChooser } from './ImageChooser.tsx';
import { imagesOf } from './pasted-images.ts';
import type { Images } from './images.ts';
import type { ImageSlot as Slot, ImageSource } from './image-slot.ts';
import { SlotTools } from './SlotTools.tsx';

interface ImageSlotProps {
  slot: Slot;
  index: number;
  last: number;
  images: Images;
  onCut: () => void;
}

const emptyView =
  'grid place-items-center border border-dashed border-edge text-ink-500 md:aspect-16/9';
const dragType = 'application/x-kasavu-slot';

/** One slot: empty, with its image, or with one on its way. Files may be dropped on it, its image dragged to another. */
export function ImageSlot({ slot, index, last, images, onCut }: ImageSlotProps) {
  const [over, setOver] = useState(false);
  const element = useRef<HTMLLIElement>(null);
  const number = String(index + 1);
  const empty = slot.entry === '' && slot.upload === null;

  const take = (sources: readonly ImageSource[]) => {
    const left = images.place(index, sources);
    if (left > 0)
      showToast('Three pictures at most', {
        description: left === 1 ? 'One did not fit.' : `${String(left)} did not fit.`,
      });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const from = event.dataTransfer.getData(dragType);
    if (from !== '') {
      images.move(Number(from), index);
      return;
    }
    take(imagesOf(event.dataTransfer));
  };
  return (
    <li
      ref={element}
      className={`grid grid-cols-[6rem_minmax(0,1fr)] gap-3.5 border p-2.5 md:grid-cols-1 md:content-start ${over ? 'border-brand-700 bg-brand-50' : 'border-line bg-white'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div
        className={`aspect-square bg-mist [&_img]:size-full [&_img]:object-cover ${empty ? emptyView : 'cursor-grab'}`}
        draggable={!empty}
        onDragStart={(event) => {
          event.dataTransfer.setData(dragType, String(index));
          event.dataTransfer.effectAllowed = 'move';
        }}
      >
        <SlotView slot={slot} />
      </div>
      <div className="grid min-w-0 grid-cols-1 content-center gap-2">
        {slot.upload?.state === 'failed' ? (
          <p className="field-error text-xs">
            Picture {number} could not be sent: {slot.upload.message} You can save without it.
          </p>
        ) : null}
        {slot.upload?.state === 'sending' ? (
          <label className="text-sm">
            Sending picture {number}…
            <progress
              className="block h-2 w-full accent-brand-700"
              max={1}
              value={slot.upload.share}
            />
          </label>
        ) : null}
        {slot.small ? (
          <p className="text-xs text-ink-700">
            Picture {number} is small. From 31 January 2027 Google lists products only with pictures
            of {minFeedSide} × {minFeedSide} pixels or more. You can save with it.
          </p>
        ) : null}
        {slot.entry === '' ? null : (
          <label className="field">
            <span className="text-sm">Description of picture {number}</span>
            <input
              className="field-input"
              value={slot.alt}
              maxLength={200}
              autoComplete="off"
              placeholder="What is to be seen"
              onChange={(event) => images.describe(index, event.currentTarget.value)}
            />
          </label>
        )}
        {empty ? (
          <ImageChooser number={number} onSources={take} />
        ) : (
          <SlotTools
            slot={slot}
            index={index}
            last={last}
            images={images}
            onSources={take}
            onCut={onCut}
            onGone={() => focusSlot(element.current)}
          />
        )}
      </div>
    </li>
  );
}

/** The control that had the focus is gone: the slot's first one takes it. */
function focusSlot(element: HTMLElement | null): void {
  const list = element?.parentElement;
  const at = [...(list?.children ?? [])].indexOf(element as HTMLLIElement);
  setTimeout(() => list?.children[at]?.querySelector<HTMLElement>('input, button')?.focus());
}

function SlotView({ slot }: { slot: Slot }) {
  if (slot.upload?.state === 'sending' && slot.upload.preview !== null) {
    return <img src={slot.upload.preview} alt="" className="opacity-60" />;
  }
  if (slot.upload?.state === 'failed')
    return <img src={placeholderImage} alt="" width={160} height={160} />;
  if (slot.entry !== '') return <ProductImage key={slot.entry} entry={slot.entry} width={160} />;
  return <AdminIcon name="picture" />;
}
