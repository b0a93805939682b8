import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import {
  movedBox,
  placement,
  resizedBox,
  minSide,
  turnedSize,
  type CropBox,
  type ImageEdit,
  type Size,
} from '#domain/admin/products/image-crop.ts';
import type { ImageCutter } from '#services/admin/images/cut-image.ts';

interface CutStageProps {
  image: ImageCutter;
  edit: ImageEdit;
  onBox: (change: (box: CropBox, size: Size) => CropBox) => void;
}

/** Pixels of the canvas, which is drawn as wide as its place. */
const side = 640;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Everything but the square lies in the shade. */
function shade(canvas: HTMLCanvasElement, size: Size, edit: ImageEdit): void {
  const brush = canvas.getContext('2d');
  if (!brush) return;
  const { scale } = placement(size, { ...edit, whole: true }, side);
  const { width, height } = turnedSize(size, edit.turns);
  const [x, y, length] = [
    (side - width * scale) / 2 + edit.box.x * scale,
    (side - height * scale) / 2 + edit.box.y * scale,
    edit.box.side * scale,
  ];
  brush.beginPath();
  brush.rect(0, 0, side, side);
  brush.rect(x, y, length, length);
  brush.fillStyle = 'rgb(28 26 22 / 0.6)';
  brush.fill('evenodd');
  brush.lineWidth = 4;
  brush.strokeStyle = '#ffffff';
  brush.strokeRect(x + 2, y + 2, length - 4, length - 4);
}

/** The image with the chosen square: moved with a finger, the mouse or arrow keys; two fingers, the wheel, + and − change its size. */
export function CutStage({ image, edit, onBox }: CutStageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  useEffect(() => {
    // The dialog was there before the image was read, and focused what it had.
    stage.current?.focus();
  }, []);
  useEffect(() => {
    if (!canvas.current || !stage.current) return;
    image.draw(
      canvas.current,
      { ...edit, whole: true },
      getComputedStyle(stage.current).backgroundColor,
    );
    if (!edit.whole) shade(canvas.current, image.size, edit);
  }, [image, edit]);
  useEffect(() => {
    const element = stage.current;
    const zoom = (event: WheelEvent) => {
      // A listener of our own: React's is passive and cannot prevent scrolling.
      event.preventDefault();
      onBox((box, size) => resizedBox(box, box.side * (event.deltaY > 0 ? 0.94 : 1.06), size));
    };
    element?.addEventListener('wheel', zoom, { passive: false });
    return () => {
      element?.removeEventListener('wheel', zoom);
    };
  }, [onBox]);

  const move = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before || edit.whole) return;
    const now = { x: event.clientX, y: event.clientY };
    fingers.current.set(event.pointerId, now);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const [far, near] = [
        Math.hypot(now.x - other.x, now.y - other.y),
        Math.hypot(before.x - other.x, before.y - other.y),
      ];
      if (near > 0) onBox((box, size) => resizedBox(box, (box.side * far) / near, size));
      return;
    }
    const { scale } = placement(
      image.size,
      { ...edit, whole: true },
      event.currentTarget.clientWidth,
    );
    onBox((box, size) =>
      movedBox(box, (now.x - before.x) / scale, (now.y - before.y) / scale, size),
    );
  };
  const leave = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
  };
  const press = (event: KeyboardEvent) => {
    const [right, down] = arrows[event.key] ?? [0, 0];
    const grows = event.key === '+' || event.key === '=' ? 1 : event.key === '-' ? -1 : 0;
    if (edit.whole || (right === 0 && down === 0 && grows === 0)) return;
    event.preventDefault();
    onBox((box, size) => {
      const step = Math.max(1, Math.round(minSide(size) / (event.shiftKey ? 1 : 5)));
      return grows === 0
        ? movedBox(box, right * step, down * step, size)
        : resizedBox(box, box.side + grows * step, size);
    });
  };
  return (
    <div
      ref={stage}
      tabIndex={0}
      role="application"
      aria-label={
        edit.whole
          ? 'The whole picture'
          : 'The square that is kept. Arrow keys move it, plus and minus change its size.'
      }
      className="mx-auto w-full max-w-sm cursor-move touch-none bg-tile"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      }}
      onPointerMove={move}
      onPointerUp={leave}
      onPointerCancel={leave}
      onKeyDown={press}
    >
      <canvas
        ref={canvas}
        width={side}
        height={side}
        className="block aspect-square w-full"
        aria-hidden="true"
        data-square={JSON.stringify(edit.box)}
      />
    </div>
  );
}
