import { useMemo, useState } from 'react';
import type { ImportPlan } from './domain/import-plan.ts';
import {
  firstMapping,
  nothingChosen,
  productFileLimits,
  sourceOf,
  toFileRows,
  unknownCategories,
  type Choices,
  type ImportRows,
} from './domain/read-products.ts';
import type { Mapping } from './domain/sources/price-list.ts';
import type { SourceProduct } from './domain/sources/source.ts';
import { readTable, type TableFault, type TableFile } from '../../domain/admin/table-file.ts';
import { readTableFile } from '../../services/admin/read-table-file.ts';
import { AdminError } from '../../services/admin/admin-error.ts';
import { refusedOf } from '../../services/admin/catalogue/several-products.ts';
import { faultText } from '../../islands/admin/shared/FaultList.tsx';
import { failureMessage } from '../../islands/admin/shared/fetching/failure.ts';
import { useAction } from '../../islands/admin/shared/use-action.ts';
import { compareFile, isNamed, planOf, type Compared } from './compared-file.ts';
import { createImportImages, type FailedImage, type ImportImages } from './import-images.ts';
import { readMapping, storedCategories, storeMapping } from './stored-choices.ts';
import { saveImport } from './save-import.ts';

/** The import of a file, step by step. */
export interface Import {
  fileName: string | null;
  /** The shop whose file it is; null for the shop's own, and a list. */
  source: string | null;
  table: TableFile | null;
  mapping: Mapping;
  setMapping: (mapping: Mapping) => void;
  /** The categories that the shop lacks. */
  categories: { name: string; count: number }[];
  choices: Choices;
  setChoices: (choices: Choices) => void;
  /** Products whose stock the file does not count. */
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

const entriesOf = ({ added, changed }: ImportPlan): ReadonlySet<string> =>
  new Set([...added, ...changed].flatMap(({ product }) => product.images));

/** The products with those left out that have a fault, and why. */
const withoutFaulty = (
  products: readonly SourceProduct[],
  faulty: readonly TableFault[],
): SourceProduct[] =>
  products.map((product) => {
    const fault = faulty.find(({ row }) => row === product.row);
    return fault ? { ...product, leftOut: faultText({ ...fault, row: null }) } : product;
  });

export function useImport(): Import {
  const [images] = useState(createImportImages);
  const [compared, setCompared] = useState<Compared | null>(null);
  const [choices, setChoices] = useState(nothingChosen);
  const [round, setRound] = useState(0);
  const action = useAction();
  const [step, setStep] = useState('');
  const [stop, setStop] = useState<(() => void) | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [failedImages, setFailedImages] = useState<readonly FailedImage[]>([]);
  // Rows with faults that the admin leaves out, with their faults.
  const [faulty, setFaulty] = useState<readonly TableFault[]>([]);
  const rows = useMemo(
    () => toFileRows(withoutFaulty(compared?.products ?? [], faulty), choices),
    [compared, choices, faulty],
  );
  // `round` rises when the images change, which are no state of React's.
  const plan = useMemo(
    () =>
      compared && isNamed(compared) && round >= 0 ? planOf(compared, rows.rows, images) : null,
    [compared, rows, images, round],
  );
  const changeImages = () => setRound((before) => before + 1);

  const compare = async (file: Omit<Compared, 'products' | 'stored'>) => {
    const next = await compareFile(file);
    setCompared(next);
    return next.products;
  };
  const read = async (file: File) => {
    const reading = readTable(
      await readTableFile(file, productFileLimits.bytes),
      productFileLimits.rows,
    );
    if (!reading.ok) {
      setProblems([faultText(reading.fault)]);
      return;
    }
    const { table } = reading;
    const mapping = readMapping(table.headings) ?? firstMapping(table);
    const products = await compare({ name: file.name, table, mapping, ids: new Map() });
    const remembered = storedCategories.read() ?? {};
    const names = unknownCategories(products).map(({ name }) => name);
    setChoices({
      ...nothingChosen,
      sizes: choices.sizes,
      categories: Object.fromEntries(
        names.flatMap((name) => (name in remembered ? [[name, remembered[name] ?? null]] : [])),
      ),
    });
  };
  const showFailure = (error: unknown) => {
    const refused = refusedOf(error);
    setProblems(
      refused
        ? [
            'These were not saved, because in the meantime:',
            ...refused,
            'The file was compared again. Please check it again.',
          ]
        : [
            error instanceof AdminError && error.code === 'stopped'
              ? 'Stopped. What is saved stays; press the button again to go on.'
              : failureMessage(error),
          ],
    );
  };
  const run = (words: string, work: () => Promise<void>) => {
    setStep(words);
    setProblems([]);
    return action.run(showFailure, work);
  };
  const save = async () => {
    if (!compared || !plan) return false;
    setFailedImages([]);
    const stopping = new AbortController();
    let failed: readonly FailedImage[] = [];
    const isSaved = await run('Saving…', async () => {
      setStop(() => () => stopping.abort());
      try {
        failed = await saveImport({
          plan,
          images,
          planAgain: () => planOf(compared, rows.rows, images),
          signal: stopping.signal,
          onStep: setStep,
        });
      } catch (error) {
        // The parts before this one are saved; another press saves the rest.
        await compare(compared).catch(() => undefined);
        throw error;
      } finally {
        setStop(null);
      }
      if (failed.length > 0) await compare(compared);
    });
    setFailedImages(failed);
    return isSaved && failed.length === 0;
  };
  return {
    fileName: compared?.name ?? null,
    source: compared && sourceOf(compared.table),
    table: compared?.table ?? null,
    mapping: compared?.mapping ?? {},
    setMapping: (mapping) => {
      if (!compared) return;
      storeMapping(mapping);
      void run('Reading the file…', async () => {
        await compare({ ...compared, mapping });
      });
    },
    categories: unknownCategories(compared?.products ?? []),
    choices,
    setChoices: (next) => {
      storedCategories.write({ ...storedCategories.read(), ...next.categories });
      setChoices(next);
    },
    uncounted: compared?.products.filter(({ isUncounted }) => isUncounted).length ?? 0,
    plan,
    rows,
    images,
    unusedImages: plan ? images.unused(entriesOf(plan)) : [],
    failedImages,
    leaveOutFaults: () => setFaulty([...faulty, ...(plan?.faults ?? [])]),
    leaveOutFailed: () => {
      images.leaveOut(failedImages.map(({ text }) => text));
      setFailedImages([]);
      changeImages();
    },
    busy: action.busy ? step : null,
    problems,
    chooseFile: async (file) => {
      setCompared(null);
      setFailedImages([]);
      setFaulty([]);
      await run('Reading the file…', () => read(file));
    },
    chooseImages: (files) => {
      images.choose(files);
      setFailedImages([]);
      changeImages();
    },
    save,
    stop,
  };
}
