import { expect, test } from 'vitest';
import { bangleSize, bangleSizes, ringSize } from '#domain/catalogue/size-guide.ts';
import { materialLine } from '#domain/catalogue/material-line.ts';

test('a ring size is forty below its circumference, and named as jewellers of the US name it', () => {
  expect(ringSize(14)).toEqual({ size: '14', across: 17.2, around: 54, otherwise: 'US 7' });
  expect([8, 10, 16, 20].map((size) => ringSize(size).otherwise)).toEqual([
    'US 4½',
    'US 5½',
    'US 7½',
    'US 9',
  ]);
});

test('a bangle size counts sixteenths of an inch', () => {
  expect(bangleSizes.map(({ size, across }) => `${size}: ${String(across)}`).join(', ')).toBe(
    '2.2: 54, 2.4: 57.2, 2.6: 60.3, 2.8: 63.5, 2.10: 66.7, 2.12: 69.9',
  );
  expect(bangleSize(2, 8, 'broad').around).toBe(199);
});

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
