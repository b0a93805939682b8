import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Attributes } from '#domain/catalogue/attributes.ts';
import { categories, type Category } from '#domain/catalogue/category.ts';
import { scaleDrawing } from './scale-drawing.ts';
import type { Box } from './scale-forms.ts';

vi.mock('#shop/categories.ts', async () => ({
  categories: (await import('#tests/sample-categories.ts')).sampleCategories,
}));

const millimetres = fc.double({ min: 0.5, max: 600, noNaN: true });
const drawn = fc.record({
  category: fc.constantFrom(...categories),
  height_mm: millimetres,
  width_mm: millimetres,
});
const length = (from: readonly [number, number], to: readonly [number, number]) =>
  Math.hypot(to[0] - from[0], to[1] - from[1]);
const contains = (outer: Box, [x, y]: readonly [number, number]) =>
  x >= outer.x && x <= outer.x + outer.width && y >= outer.y && y <= outer.y + outer.height;

function drawingOf(input: { category: Category } & Attributes) {
  const drawing = scaleDrawing(input.category, input);
  if (!drawing) throw new Error('No drawing');
  return drawing;
}

describe('the drawing of a size', () => {
  test('has the product and its measure lines as long as the measures, whatever they are', () => {
    fc.assert(
      fc.property(drawn, (input) => {
        const { product, lines } = drawingOf(input);
        expect(product.height).toBe(input.height_mm);
        expect(product.width).toBe(input.width_mm);
        expect(length(lines[0].from, lines[0].to)).toBeCloseTo(input.height_mm, 6);
        expect(length(lines[1].from, lines[1].to)).toBeCloseTo(input.width_mm, 6);
      }),
    );
  });

  test('shows the whole product and both lines, and the body always in one size', () => {
    fc.assert(
      fc.property(drawn, (input) => {
        const { view, product, lines, body } = drawingOf(input);
        const corner = [product.x + product.width, product.y + product.height] as const;
        for (const point of [[product.x, product.y] as const, corner])
          expect(contains(view, point)).toBe(true);
        for (const { from, to } of lines)
          for (const point of [from, to]) expect(contains(view, point)).toBe(true);
        const small = drawingOf({ ...input, height_mm: 5, width_mm: 5 });
        expect(body).toBe(small.body);
      }),
    );
  });

  test('says both measures for whoever does not see it, and is left out without both', () => {
    const { description } = drawingOf({ category: 'earrings', height_mm: 49, width_mm: 21 });
    expect(description).toBe(
      'The earring drawn to scale on an ear of 62 mm: 49 mm high and 21 mm wide.',
    );
    expect(scaleDrawing('rings', { height_mm: 5 })).toBeNull();
    expect(scaleDrawing('rings', { width_mm: 5 })).toBeNull();
  });
});
