import type { ImportPlan } from './domain/import-plan.ts';
import type { ImportRows } from './domain/file-rows.ts';
import type { PriceCheck } from './domain/price-check.ts';
import type { Choices, UnknownCategory, UnreadColumn } from './domain/read-products.ts';
import type { Mapping } from './domain/sources/guess-columns.ts';
import type { SourceProduct } from './domain/sources/source.ts';
import type { TableFile } from '#domain/admin/table-file.ts';
import type { FailedImage, ImportImages } from './import-images.ts';

/** The import of a file, step by step. */
export interface Import {
  fileName: string | null;
  /** The shop whose file it is; null for the shop's own, and a list. */
  source: string | null;
  table: TableFile | null;
  mapping: Mapping;
  setMapping: (mapping: Mapping) => void;
  /** What is to be confirmed about the prices before anything is compared; null when nothing is. */
  priceCheck: PriceCheck | null;
  confirmPrices: () => void;
  /** Takes back what was chosen for this file, now or before. */
  forget: () => void;
  /** Products that can only come in as several, because their sizes have several prices or are too many. */
  splittable: readonly SourceProduct[];
  isSplit: boolean;
  setSplit: (isSplit: boolean) => void;
  /** The columns that are not read. */
  unread: readonly UnreadColumn[];
  /** The currencies of prices that are not in rupees. */
  currencies: readonly string[];
  /** Products whose images the file names without an address. */
  pathImages: number;
  /** The categories that the shop lacks, or that are only guessed. */
  categories: UnknownCategory[];
  choices: Choices;
  setChoices: (choices: Choices) => void;
  /** Products whose stock, or that of one of their sizes, the file does not count. */
  uncounted: number;
  /** The effect of saving; null until a file is read. */
  plan: ImportPlan | null;
  rows: Omit<ImportRows, 'rows'>;
  images: ImportImages;
  unusedImages: readonly string[];
  failedImages: readonly FailedImage[];
  leaveOutFailed: () => void;
  /** Leaves the rows with faults out. */
  leaveOutFaults: () => void;
  /** The running step, in words. */
  busy: string | null;
  /** The last failures, one sentence a line. */
  problems: readonly string[];
  chooseFile: (file: File) => Promise<void>;
  chooseImages: (files: readonly File[]) => void;
  /** Brings the images over and saves all, part by part. True when all of it was saved. */
  save: () => Promise<boolean>;
  /** Stops after the part that is running; null when there is nothing to stop. */
  stop: (() => void) | null;
}
