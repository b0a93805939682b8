import { useMemo, useState } from 'react';
import { readCatalogueFile, type FileRow } from './domain/catalogue-csv.ts';
import { idsAndNames, planImport, type ImportPlan } from './domain/import-plan.ts';
import type { AdminProduct } from '../../domain/admin/products/product-input.ts';
import { readCsvFile } from '../../services/admin/read-csv-file.ts';
import { refusedOf, saveProducts } from '../../services/admin/catalogue/several-products.ts';
import { tellEdit } from '../../islands/admin/publish/tell-edit.ts';
import { faultText } from '../../islands/admin/shared/FaultList.tsx';
import { failureMessage } from '../../islands/admin/shared/fetching/failure.ts';
import { useAction } from '../../islands/admin/shared/use-action.ts';
import { fetchCompared } from './catalogue-file.ts';
import { createImportImages, type ImportImages } from './import-images.ts';

/** A file that was read, with what is stored of it. The ids of its new products stay, so that saving twice adds them once. */
interface Compared {
  name: string;
  rows: FileRow[];
  unknown: string[];
  stored: AdminProduct[];
  newId: (row: number) => string;
}

export interface Import {
  fileName: string | null;
  unknown: readonly string[];
  /** The effect of saving; null until a file is read. */
  plan: ImportPlan | null;
  images: { count: number; unused: string[] };
  /** The running step, in words. */
  busy: string | null;
  /** The last failures, one sentence a line. */
  problems: readonly string[];
  chooseFile: (file: File) => Promise<void>;
  chooseImages: (files: readonly File[]) => void;
  /** Uploads the images and saves all, or nothing. True when it was saved. */
  save: () => Promise<boolean>;
  /** Stops while images are sent; null when there is nothing to stop. */
  stop: (() => void) | null;
}

const entriesOf = ({ added, changed }: ImportPlan): ReadonlySet<string> =>
  new Set([...added, ...changed].flatMap(({ product }) => product.images));
const planOf = ({ rows, stored, newId }: Compared, images: ImportImages): ImportPlan =>
  planImport(rows, { stored, newId, entryOf: images.entryOf });

export function useImport(): Import {
  const [images] = useState(createImportImages);
  const [compared, setCompared] = useState<Compared | null>(null);
  const [round, setRound] = useState(0);
  const action = useAction();
  const [step, setStep] = useState('');
  const [stop, setStop] = useState<(() => void) | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  // `round` rises when the images change, which are no state of React's.
  const plan = useMemo(
    () => (compared && round >= 0 ? planOf(compared, images) : null),
    [compared, images, round],
  );

  const compare = async (file: Omit<Compared, 'stored'>) => {
    setCompared({ ...file, stored: await fetchCompared(idsAndNames(file.rows, file.newId)) });
  };
  const chooseFile = async (file: File) => {
    setStep('Reading the file…');
    setProblems([]);
    setCompared(null);
    await action.run(
      (error) => setProblems([failureMessage(error)]),
      async () => {
        const read = readCatalogueFile(await readCsvFile(file));
        if (!read.ok) {
          setProblems([faultText(read.fault)]);
          return;
        }
        const ids = new Map<number, string>();
        const newId = (row: number) => {
          const id = ids.get(row) ?? crypto.randomUUID();
          ids.set(row, id);
          return id;
        };
        await compare({ name: file.name, rows: read.rows, unknown: read.unknown, newId });
      },
    );
  };
  const showRefusal = (error: unknown) => {
    const refused = refusedOf(error);
    setRound((before) => before + 1);
    setProblems(
      refused
        ? [
            'Nothing was saved, because in the meantime:',
            ...refused,
            'The file was compared again. Please check it again.',
          ]
        : [failureMessage(error)],
    );
  };
  const save = async () => {
    if (!compared || !plan) return false;
    setProblems([]);
    setStep('Saving…');
    const sending = new AbortController();
    const isSaved = await action.run(showRefusal, async () => {
      try {
        setStop(() => () => sending.abort());
        await images.upload(entriesOf(plan), sending.signal, (done, of) =>
          setStep(`Sending picture ${String(done + 1)} of ${String(of)}…`),
        );
        setStop(null);
        setStep('Saving…');
        // With the paths of the images.
        const { added, changed } = planOf(compared, images);
        await saveProducts([...added, ...changed]);
        void tellEdit('Saved', {
          products: [...added, ...changed].map(({ id, product: { hidden } }) => ({ id, hidden })),
          notes: [`${String(added.length)} added, ${String(changed.length)} changed.`],
        });
      } catch (error) {
        if (refusedOf(error)) await compare(compared);
        throw error;
      } finally {
        setStop(null);
      }
    });
    return isSaved;
  };
  return {
    stop,
    fileName: compared?.name ?? null,
    unknown: compared?.unknown ?? [],
    plan,
    images: { count: images.count(), unused: plan ? images.unused(entriesOf(plan)) : [] },
    busy: action.busy ? step : null,
    problems,
    chooseFile,
    chooseImages: (files) => {
      images.choose(files);
      setRound((before) => before + 1);
    },
    save,
  };
}
