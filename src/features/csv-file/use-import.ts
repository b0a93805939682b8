import { useMemo, useState } from 'react';
import type { ImportPlan } from './domain/import-plan.ts';
import {
  firstMapping,
  nothingChosen,
  productFileLimits,
  sourceOf,
  unknownCategories,
  unreadColumns,
} from './domain/read-products.ts';
import { namesImagesByPath, toFileRows } from './domain/file-rows.ts';
import type { Mapping } from './domain/sources/guess-columns.ts';
import type { SourceProduct } from './domain/sources/source.ts';
import { isSplittable } from './domain/split-by-price.ts';
import { readTable, type TableFault } from '#domain/admin/table-file.ts';
import { readTableFile } from '#services/admin/read-table-file.ts';
import { AdminError } from '#services/admin/admin-error.ts';
import { refusedOf } from '#services/admin/catalogue/several-products.ts';
import { faultText } from '#islands/admin/shared/FaultList.tsx';
import { failureMessage } from '#islands/admin/shared/fetching/failure.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { compareFile, isNamed, planOf, type Compared } from './compared-file.ts';
import { createImportImages, type FailedImage } from './import-images.ts';
import type { Import } from './import-state.ts';
import { openPriceCheck, priceColumnsOf } from './price-confirmation.ts';
import {
  forgetChoices,
  readCategories,
  readMapping,
  storeCategories,
  storeMapping,
  storePrices,
} from './stored-choices.ts';
import { saveImport } from './save-import.ts';

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
  // What the admin has just asked for, until the file is read so.
  const [askedSplit, setAskedSplit] = useState<boolean | null>(null);
  const [round, setRound] = useState(0);
  const action = useAction();
  const [step, setStep] = useState('');
  const [stop, setStop] = useState<(() => void) | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [failedImages, setFailedImages] = useState<readonly FailedImage[]>([]);
  // Rows with faults that the admin leaves out, with their faults.
  const [faulty, setFaulty] = useState<readonly TableFault[]>([]);
  // The mapping whose prices the admin has confirmed.
  const [confirmed, setConfirmed] = useState<Mapping | null>(null);
  const priceCheck = useMemo(
    () => (compared ? openPriceCheck(compared, confirmed) : null),
    [compared, confirmed],
  );
  const rows = useMemo(
    () => toFileRows(withoutFaulty(compared?.products ?? [], faulty), choices),
    [compared, choices, faulty],
  );
  // `round` rises when the images change, which are no state of React's.
  const plan = useMemo(
    () =>
      compared && isNamed(compared) && priceCheck === null && round >= 0
        ? planOf(compared, rows.rows, images)
        : null,
    [compared, priceCheck, rows, images, round],
  );
  const unread = useMemo(
    () => (compared ? unreadColumns(compared.table, compared) : []),
    [compared],
  );
  const changeImages = () => setRound((before) => before + 1);

  const compare = async (file: Omit<Compared, 'products' | 'stored'>) => {
    const next = await compareFile(file);
    setCompared(next);
    return next.products;
  };
  const readFile = async (file: File) => {
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
    const read = { mapping, isSplit: false };
    const products = await compare({ name: file.name, table, ...read, ids: new Map() });
    const remembered = readCategories();
    const names = unknownCategories(products).map(({ name }) => name);
    setChoices({
      ...nothingChosen,
      sizes: choices.sizes,
      rates: choices.rates,
      categories: new Map(
        names.flatMap((name) =>
          remembered.has(name) ? [[name, remembered.get(name) ?? null] as const] : [],
        ),
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
  const readAgain = (change: Partial<Compared>) => {
    if (!compared) return;
    setFaulty([]);
    void run('Reading the file…', async () => {
      try {
        await compare({ ...compared, ...change });
      } finally {
        setAskedSplit(null);
      }
    });
  };
  const products = compared?.products ?? [];
  return {
    fileName: compared?.name ?? null,
    source: compared && sourceOf(compared.table),
    table: compared?.table ?? null,
    mapping: compared?.mapping ?? {},
    setMapping: (mapping) => {
      storeMapping(mapping);
      readAgain({ mapping });
    },
    priceCheck,
    confirmPrices: () => {
      if (!compared || priceCheck === null) return;
      storeMapping(compared.mapping);
      storePrices(priceColumnsOf(priceCheck));
      setConfirmed(compared.mapping);
    },
    forget: () => {
      if (!compared) return;
      const { table } = compared;
      forgetChoices(
        table.headings,
        unknownCategories(products).map(({ name }) => name),
      );
      setChoices(nothingChosen);
      setConfirmed(null);
      readAgain({ mapping: firstMapping(table), isSplit: false });
    },
    splittable: products.filter(isSplittable),
    isSplit: askedSplit ?? compared?.isSplit ?? false,
    setSplit: (isSplit) => {
      setAskedSplit(isSplit);
      readAgain({ isSplit });
    },
    unread,
    currencies: [
      ...new Set(
        products.flatMap(({ currency, leftOut }) => (leftOut === null ? (currency ?? []) : [])),
      ),
    ],
    pathImages: products.filter(namesImagesByPath).length,
    categories: unknownCategories(products),
    choices,
    setChoices: (next) => {
      storeCategories(next.categories);
      setChoices(next);
    },
    uncounted: products.filter(({ isUncounted, leftOut }) => isUncounted && leftOut === null)
      .length,
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
      setConfirmed(null);
      await run('Reading the file…', () => readFile(file));
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
