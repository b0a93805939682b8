import { expect, test } from 'vitest';
import { findOverlaps, type Box } from '../../bench/browsers/overlap.ts';

const box = (name: string, [left, top, right, bottom]: readonly number[], layer = 0): Box => ({
  ...{ name, control: name.codePointAt(0) ?? 0, layer },
  ...{ left: left ?? 0, top: top ?? 0, right: right ?? 0, bottom: bottom ?? 0 },
});

test('two controls whose boxes overlap by more than a border are reported by their names', () => {
  expect(findOverlaps([box('Save', [0, 0, 40, 40]), box('Close', [30, 30, 70, 70])])).toEqual([
    '“Save” and “Close” overlap',
  ]);
});

test('neighbours, a control inside another, another layer and the lines of one link are no overlap', () => {
  const save = box('Save', [0, 0, 40, 40]);
  expect(findOverlaps([save, box('Close', [39, 0, 80, 40])])).toEqual([]);
  expect(findOverlaps([save, box('Heart', [10, 10, 30, 30])])).toEqual([]);
  expect(findOverlaps([save, box('Menu', [30, 30, 70, 70], 1)])).toEqual([]);
  expect(findOverlaps([save, box('Second line', [30, 30, 70, 70])])).toEqual([]);
});
