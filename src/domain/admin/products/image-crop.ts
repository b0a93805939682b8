/* Rotates and crops an image to the square of the shop's tiles. Lengths are pixels of the image. */

export interface Size {
  width: number;
  height: number;
}
/** The chosen square, by its upper left corner. */
export interface CropBox {
  x: number;
  y: number;
  side: number;
}
export interface ImageEdit {
  /** Quarter turns clockwise, 0 to 3. */
  turns: number;
  /** All of it, with the colour of the tiles beside it, instead of the square. */
  whole: boolean;
  /** The part that is kept, measured in the turned image. */
  box: CropBox;
}

/** Whether a tile shows all of an image: one in fifty is seen by nobody. */
export const isSquare = ({ width, height }: Size): boolean =>
  Math.abs(width - height) <= Math.max(width, height) / 50;

/** An image's size after its turns. */
export const turnedSize = ({ width, height }: Size, turns: number): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width };

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), max);

/** The smallest square that can be chosen: a tenth of the image, which is as far as a photograph bears. */
export const minSide = ({ width, height }: Size): number =>
  Math.max(1, Math.round(Math.min(width, height) / 10));

/** The box with another side around its middle, moved back to where the image is. */
export function resizedBox({ x, y, side }: CropBox, wanted: number, size: Size): CropBox {
  const next = clamp(Math.round(wanted), minSide(size), Math.min(size.width, size.height));
  return movedBox({ x: x + (side - next) / 2, y: y + (side - next) / 2, side: next }, 0, 0, size);
}

/** The box moved, as far as the image goes. */
export function movedBox(
  { x, y, side }: CropBox,
  right: number,
  down: number,
  { width, height }: Size,
): CropBox {
  return {
    x: clamp(Math.round(x + right), 0, width - side),
    y: clamp(Math.round(y + down), 0, height - side),
    side,
  };
}

/** The start of an edit: the largest square in the middle. */
export function firstEdit(size: Size): ImageEdit {
  const side = Math.min(size.width, size.height);
  return {
    turns: 0,
    whole: false,
    box: { x: Math.round((size.width - side) / 2), y: Math.round((size.height - side) / 2), side },
  };
}

/** One quarter turn clockwise; the box keeps what is in it. `size` is the image's before any turn. */
export function turnedEdit(
  { turns, whole, box: { x, y, side } }: ImageEdit,
  size: Size,
): ImageEdit {
  const { height } = turnedSize(size, turns);
  return { turns: (turns + 1) % 4, whole, box: { x: height - y - side, y: x, side } };
}

/** Where the image is drawn on a square canvas: its middle and its scale, before it is turned. */
export function placement(
  size: Size,
  { turns, whole, box }: ImageEdit,
  canvasSide: number,
): { x: number; y: number; scale: number } {
  const { width, height } = turnedSize(size, turns);
  if (whole)
    return { x: canvasSide / 2, y: canvasSide / 2, scale: canvasSide / Math.max(width, height) };
  const scale = canvasSide / box.side;
  return { x: (width / 2 - box.x) * scale, y: (height / 2 - box.y) * scale, scale };
}
