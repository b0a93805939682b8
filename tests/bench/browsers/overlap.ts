/* Which controls of a page lie over each other by mistake. */

/** One rectangle of a control, in CSS pixels; a link over two lines has two. */
export interface Box {
  name: string;
  /** Which control it belongs to. */
  control: number;
  /** A fixed or sticky element or a dialog is a layer of its own over the page, on purpose. */
  layer: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Borders may touch, and rounding moves them. */
const tolerance = 1.5;

const contains = (a: Box, b: Box): boolean =>
  a.left <= b.left + tolerance &&
  a.top <= b.top + tolerance &&
  a.right >= b.right - tolerance &&
  a.bottom >= b.bottom - tolerance;

const intersects = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > tolerance &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > tolerance;

/**
 * The pairs of controls in one layer whose boxes overlap. A control that lies wholly inside another is there on purpose,
 * as the heart on an image.
 */
export function findOverlaps(boxes: readonly Box[]): string[] {
  return boxes.flatMap((box, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (other) =>
          box.control !== other.control &&
          box.layer === other.layer &&
          intersects(box, other) &&
          !contains(box, other) &&
          !contains(other, box),
      )
      .map((other) => `“${box.name}” and “${other.name}” overlap`),
  );
}
