import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  firstEdit,
  movedBox,
  resizedBox,
  minSide,
  turnedEdit,
  turnedSize,
  type ImageEdit,
  type Size,
} from '#domain/admin/products/image-crop.ts';

const sizes = fc.record({
  width: fc.integer({ min: 1, max: 9_000 }),
  height: fc.integer({ min: 1, max: 9_000 }),
});
const steps = fc.array(
  fc.oneof(
    fc.constant('turn' as const),
    fc.record({ right: fc.integer(), down: fc.integer() }),
    fc.record({ side: fc.integer({ min: -100, max: 20_000 }) }),
  ),
  { maxLength: 12 },
);

const after = (
  edit: ImageEdit,
  size: Size,
  step: 'turn' | { right: number; down: number } | { side: number },
): ImageEdit => {
  if (step === 'turn') return turnedEdit(edit, size);
  const turned = turnedSize(size, edit.turns);
  return {
    ...edit,
    box:
      'side' in step
        ? resizedBox(edit.box, step.side, turned)
        : movedBox(edit.box, step.right, step.down, turned),
  };
};

test('however it is moved, zoomed and turned, the square lies within the image, in whole pixels', () => {
  fc.assert(
    fc.property(sizes, steps, (size, all) => {
      const edit = all.reduce((before, step) => after(before, size, step), firstEdit(size));
      const { width, height } = turnedSize(size, edit.turns);
      const { x, y, side } = edit.box;
      expect([x, y, side].every(Number.isInteger)).toBe(true);
      expect(
        x >= 0 && y >= 0 && x + side <= width && y + side <= height && side >= minSide(size),
      ).toBe(true);
    }),
  );
});

test('four quarter turns are none', () => {
  fc.assert(
    fc.property(sizes, steps, (size, all) => {
      const edit = all.reduce((before, step) => after(before, size, step), firstEdit(size));
      const turned = [1, 2, 3, 4].reduce((before) => turnedEdit(before, size), edit);
      expect(turned).toEqual(edit);
    }),
  );
});
