import { expect, test } from 'vitest';
import { materialLine } from '../../../src/domain/catalogue/material-line.ts';

test('the line says metal, plating, stone and weight, and leaves out what is not known', () => {
  const ring = { metal: 'Brass', plating: '1 micron of gold', stone: 'Green glass', weight_g: 8.6 };
  expect(materialLine({ ...ring, size: '12', height_mm: 18 }).replaceAll('\u00A0', ' ')).toBe(
    'Brass · 1 micron of gold · Green glass · 8.6 g',
  );
  expect(materialLine({ metal: 'Silver', stone: 'None' })).toBe('Silver');
  expect(materialLine({ metal: 'Gold-plated brass', plating: '22K gold' })).toBe(
    'Gold-plated brass',
  );
  expect(materialLine({ care: 'Keep it dry.' })).toBe('');
});
