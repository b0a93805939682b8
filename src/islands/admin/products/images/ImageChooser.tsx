import { useId, useState } from 'react';
import { readImageDataUrl, isImageAddress } from '#domain/admin/products/data-url.ts';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import type { ImageSource } from './image-slot.ts';

interface ImageChooserProps {
  number: string;
  /** The first is for this slot, others for the empty ones. */
  onSources: (sources: readonly ImageSource[]) => void;
}

/** The ways to an image: a file, the phone's camera, an address. */
export function ImageChooser({ number, onSources }: ImageChooserProps) {
  const [typing, setTyping] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <FileChoice icon="picture" label="Choose file" number={number} onSources={onSources} />
      <FileChoice icon="camera" label="Camera" number={number} camera onSources={onSources} />
      {typing ? (
        <AddressField number={number} onSources={onSources} />
      ) : (
        <button type="button" className="choice" onClick={() => setTyping(true)}>
          <AdminIcon name="link" /> Web address
          <span className="visually-hidden"> of picture {number}</span>
        </button>
      )}
    </div>
  );
}

interface FileChoiceProps extends ImageChooserProps {
  icon: 'picture' | 'camera';
  label: string;
  camera?: boolean;
}

/** A button that opens the gallery, where several may be chosen, or the camera. */
export function FileChoice({ icon, label, number, camera = false, onSources }: FileChoiceProps) {
  return (
    <label className={`choice ${camera ? 'pointer-fine:hidden' : ''}`}>
      <input
        type="file"
        className="visually-hidden"
        accept={
          camera ? 'image/*' : 'image/jpeg,image/png,image/webp,image/avif,image/*,.heic,.heif'
        }
        {...(camera ? { capture: 'environment' as const } : { multiple: true })}
        onChange={(event) => {
          onSources([...(event.currentTarget.files ?? [])]);
        }}
      />
      <AdminIcon name={icon} /> {label}
      <span className="visually-hidden"> for picture {number}</span>
    </label>
  );
}

function AddressField({ number, onSources }: ImageChooserProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const take = () => {
    if (isImageAddress(text) || readImageDataUrl(text)) onSources([text]);
    else setWrong(true);
  };
  return (
    <div className="field min-w-0 flex-[1_1_100%] grid-cols-1">
      <label className="text-sm" htmlFor={id}>
        Web address of picture {number}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          className="field-input w-auto min-w-0 flex-[1_1_9rem]"
          value={text}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          placeholder="https://… or data:image/…"
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `${id}-error` : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
          onKeyDown={(event) => {
            // Enter would send the whole form.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            take();
          }}
        />
        <button type="button" className="btn btn-secondary px-4" onClick={take}>
          Use
        </button>
      </div>
      {wrong ? (
        <p className="field-error" id={`${id}-error`}>
          This is not a picture’s address: it begins with https:// or data:image/…
        </p>
      ) : null}
    </div>
  );
}
