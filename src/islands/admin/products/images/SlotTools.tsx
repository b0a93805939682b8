import { Icon } from '#islands/shared/Icon.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { FileChoice } from './ImageChooser.tsx';
import type { Images } from './images.ts';
import type { ImageSlot, ImageSource } from './image-slot.ts';

interface SlotToolsProps {
  slot: ImageSlot;
  index: number;
  last: number;
  images: Images;
  onSources: (sources: readonly ImageSource[]) => void;
  /** Cuts the image anew. */
  onCut: () => void;
  onGone: () => void;
}

/** Order, retry and removal of one image; another file where a retry cannot help. */
export function SlotTools({ slot, index, last, images, onSources, onCut, onGone }: SlotToolsProps) {
  const number = String(index + 1);
  return (
    <div className="flex flex-wrap items-center gap-1">
      {slot.upload?.state === 'failed' && !slot.upload.retry ? (
        <FileChoice icon="picture" label="Choose another" number={number} onSources={onSources} />
      ) : null}
      {slot.upload?.state === 'failed' && slot.upload.retry ? (
        <button
          type="button"
          className="btn btn-secondary mr-1 min-h-11 px-4 max-sm:basis-full"
          onClick={() => images.retry(index)}
        >
          Retry<span className="visually-hidden"> picture {number}</span>
        </button>
      ) : null}
      {slot.original !== null && slot.upload === null ? (
        <button
          type="button"
          className="icon-btn"
          aria-label={`Crop or turn picture ${number}`}
          onClick={onCut}
        >
          <AdminIcon name="crop" />
        </button>
      ) : null}
      <button
        type="button"
        className="icon-btn aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
        aria-label={`Move picture ${number} earlier`}
        aria-disabled={index === 0}
        onClick={() => index > 0 && images.move(index, index - 1)}
      >
        <AdminIcon name="earlier" />
      </button>
      <button
        type="button"
        className="icon-btn aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
        aria-label={`Move picture ${number} later`}
        aria-disabled={index === last}
        onClick={() => index < last && images.move(index, index + 1)}
      >
        <AdminIcon name="later" />
      </button>
      <button
        type="button"
        className="icon-btn"
        aria-label={
          slot.upload?.state === 'sending'
            ? `Stop sending picture ${number}`
            : `Remove picture ${number}`
        }
        onClick={() => {
          images.remove(index);
          onGone();
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
