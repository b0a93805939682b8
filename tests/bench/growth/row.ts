import { median } from '../support/embedded-stack.ts';

/** A shop of each size: a year of a small one, and five years of a large one. */
export const shopSizes = {
  small: { products: 1_000, orders: 5_000 },
  large: { products: 10_000, orders: 50_000 },
} as const;
export type ShopSize = keyof typeof shopSizes;
export const inShops = '1,000 products and 5,000 orders → 10,000 and 50,000';

/** What one size of a row costs, in the row's unit, and the largest answer in bytes; 0 where nothing is answered. */
export interface Cost {
  cost: number;
  bytes: number;
}

export interface GrowthRow {
  name: string;
  /** How many times the work the larger size is, and both sizes in words. */
  times: number;
  sizes: string;
  unit: 'ms' | 's' | 'KB' | 'files';
  small: Cost;
  large: Cost;
}

/** Rows that share what they are measured on. `measure` is called only when there are any. */
export interface RowGroup {
  names: readonly string[];
  measure: () => Promise<GrowthRow[]>;
}

/** Median ms of five runs after one that warms the caches; of one run when it takes longer than five seconds. */
export async function timeRuns(run: () => Promise<number>): Promise<Cost> {
  const times: number[] = [];
  let bytes = 0;
  for (let count = 0; count < 6; count += 1) {
    const began = performance.now();
    bytes = Math.max(bytes, await run());
    times.push(performance.now() - began);
    if ((times[0] ?? 0) > 5_000) break;
  }
  return { cost: median(times.slice(times.length > 1 ? 1 : 0)), bytes };
}
