import { useCallback, useEffect, useRef, useState } from 'react';
import {
  firstEdit,
  resizedBox,
  minSide,
  turnedEdit,
  turnedSize,
  type CropBox,
  type ImageEdit,
  type Size,
} from '#domain/admin/products/image-crop.ts';
import { createImageCutter, type ImageCutter } from '#services/admin/images/cut-image.ts';
import { ModalDialog } from '#islands/shared/ModalDialog.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { CutStage } from './CutStage.tsx';
import { messageFor } from './image-slot.ts';

interface CutDialogProps {
  file: Blob;
  title: string;
  /** Called with the square image, or with null when the admin cancelled. */
  onDone: (cut: Blob | null) => void;
}

/** Makes an image square: a part of it, or all of it with the colour of the tiles beside it. Nothing is cut unasked. */
export function CutDialog({ file, title, onDone }: CutDialogProps) {
  const [open, setOpen] = useState<{ image: ImageCutter; edit: ImageEdit } | null>(null);
  const action = useAction();
  const { busy } = action;
  const [error, setError] = useState<string | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let current = true;
    let opened: ImageCutter | null = null;
    createImageCutter(file).then(
      (image) => {
        opened = image;
        if (current) setOpen({ image, edit: firstEdit(image.size) });
        else image.close();
      },
      (problem: unknown) => {
        if (current) setError(messageFor(problem));
      },
    );
    return () => {
      current = false;
      opened?.close();
    };
  }, [file]);
  const change = (next: (edit: ImageEdit, size: Size) => ImageEdit) => {
    setOpen((before) => before && { ...before, edit: next(before.edit, before.image.size) });
  };
  const onBox = useCallback((next: (box: CropBox, size: Size) => CropBox) => {
    setOpen((before) => {
      if (!before || before.edit.whole) return before;
      return {
        ...before,
        edit: {
          ...before.edit,
          box: next(before.edit.box, turnedSize(before.image.size, before.edit.turns)),
        },
      };
    });
  }, []);
  const use = () =>
    void action.run(
      (problem) => setError(messageFor(problem)),
      async () => {
        if (!open) return;
        setError(null);
        const ground = getComputedStyle(
          stage.current?.firstElementChild ?? document.body,
        ).backgroundColor;
        onDone(await open.image.cut(open.edit, ground));
      },
    );
  const edit = open?.edit;
  const size = open ? turnedSize(open.image.size, open.edit.turns) : null;
  return (
    <ModalDialog
      open
      title={title}
      closable={!busy}
      onClose={() => onDone(null)}
      className="w-[min(30rem,calc(100vw-2rem))]"
    >
      <div className="mt-4 grid grid-cols-1 gap-4">
        <p className="text-sm/relaxed text-ink-700">
          The shop shows pictures as squares. Move the square over what is to be kept, or show all
          of it.
        </p>
        <ActionError error={error} />
        <div ref={stage} className="min-h-48">
          {open && edit && size ? (
            <CutStage image={open.image} edit={edit} onBox={onBox} />
          ) : (
            <p role="status">{error === null ? 'Opening the picture…' : ''}</p>
          )}
        </div>
        {open && edit && size ? (
          <>
            <div className="flex flex-wrap gap-2">
              {(
                [
                  [false, 'Crop'],
                  [true, 'Show whole'],
                ] as const
              ).map(([whole, label]) => (
                <button
                  key={label}
                  type="button"
                  className={`btn btn-small max-sm:px-3 ${edit.whole === whole ? 'btn-primary' : 'btn-secondary'}`}
                  aria-pressed={edit.whole === whole}
                  onClick={() => change((before) => ({ ...before, whole }))}
                >
                  {label}
                </button>
              ))}
              <button
                type="button"
                className="btn btn-secondary btn-small max-sm:px-3"
                onClick={() => change(turnedEdit)}
              >
                <AdminIcon name="turn" /> Turn
              </button>
            </div>
            {edit.whole ? null : (
              <label className="text-sm">
                Size of the square
                <input
                  type="range"
                  className="block h-11 w-full accent-brand-700"
                  min={minSide(size)}
                  max={Math.min(size.width, size.height)}
                  value={edit.box.side}
                  onChange={(event) => {
                    const wanted = Number(event.currentTarget.value);
                    onBox((box, of) => resizedBox(box, wanted, of));
                  }}
                  onKeyDown={(event) => {
                    // It stands in the product's form, which Enter would send.
                    if (event.key === 'Enter') event.preventDefault();
                  }}
                />
              </label>
            )}
          </>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <button
            type="button"
            className="btn btn-primary max-sm:px-[1.125rem]"
            aria-busy={busy}
            aria-disabled={!open}
            onClick={use}
          >
            {busy ? 'Cropping…' : 'Use this picture'}
          </button>
          <button
            type="button"
            className="btn btn-secondary max-sm:px-[1.125rem]"
            onClick={() => busy || onDone(null)}
          >
            Cancel
          </button>
        </div>
      </div>
    </ModalDialog>
  );
}
