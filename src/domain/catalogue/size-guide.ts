/** A ring or bangle size and what it measures inside, in millimetres. */
export interface MeasuredSize {
  size: string;
  /** Across the hole. */
  across: number;
  /** Along the inside. */
  around: number;
  /** The size in other systems: a US ring size, or how wide the hand is. */
  otherwise: string;
}

/** The short side of a bank card in millimetres (ISO/IEC 7810, ID-1). A ₹5 coin measures 23 or, from 2019 on, 25. */
export const cardWidth = 53.98;

const tenth = (millimetres: number): number => Math.round(millimetres * 10) / 10;

/**
 * An Indian ring size: its number is the inner circumference in millimetres less 40. The US size is (circumference - 36.5) / 2.55,
 * to the nearest half (both are the usual tables of jewellers; ISO 8653 names rings by the circumference alone).
 */
export function ringSize(size: number): MeasuredSize {
  const around = size + 40;
  const us = Math.round(((around - 36.5) / 2.55) * 2) / 2;
  const half = us % 1 === 0 ? '' : '½';
  return {
    size: String(size),
    across: tenth(around / Math.PI),
    around,
    otherwise: `US ${String(Math.floor(us))}${half}`,
  };
}

/** A bangle size, such as 2.4: two inches and four sixteenths across. `hand` is whose it often is. */
export function bangleSize(inches: number, sixteenths: number, hand: string): MeasuredSize {
  const across = (inches + sixteenths / 16) * 25.4;
  return {
    size: `${String(inches)}.${String(sixteenths)}`,
    across: tenth(across),
    around: Math.round(across * Math.PI),
    otherwise: hand,
  };
}

export const ringSizes: readonly MeasuredSize[] = [6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26].map(
  ringSize,
);

export const bangleSizes: readonly MeasuredSize[] = [
  bangleSize(2, 2, 'very slim'),
  bangleSize(2, 4, 'slim'),
  bangleSize(2, 6, 'medium'),
  bangleSize(2, 8, 'broad'),
  bangleSize(2, 10, 'very broad'),
  bangleSize(2, 12, 'the broadest'),
];
