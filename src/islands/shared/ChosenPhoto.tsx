import { useEffect, useMemo } from 'react';
import { Icon } from './Icon.tsx';

interface ChosenPhotoProps {
  photo: Blob;
  label: string;
  onRemove: () => void;
}

/** A photo that was chosen and not yet sent, with a button that removes it. */
export function ChosenPhoto({ photo, label, onRemove }: ChosenPhotoProps) {
  const address = useMemo(() => URL.createObjectURL(photo), [photo]);
  useEffect(
    () => () => {
      URL.revokeObjectURL(address);
    },
    [address],
  );
  return (
    <div className="relative w-fit">
      <img src={address} alt={label} className="size-24 bg-mist object-cover" />
      <button
        type="button"
        className="icon-btn absolute top-0 right-0 bg-white/85"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
