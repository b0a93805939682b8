/*
 * The browser's Back closes a sheet that lies over the page, instead of leaving the page. An open sheet has an entry of its own in the
 * history, with the page's address: `sheet` in its state counts the sheets that are open there.
 */

interface OpenSheet {
  /** How many sheets are open with it, one above the other. */
  readonly depth: number;
  readonly address: string;
  readonly close: () => boolean;
}

/** The lowest first. */
const openSheets: OpenSheet[] = [];

/** What waits for a step back that `dropEntry` has asked for. */
const awaitedSteps: (() => void)[] = [];

/** A browser that opens another page meanwhile takes no step back, and says nothing of it. In milliseconds. */
const longestStep = 1000;

let lastClosing: Promise<void> = Promise.resolve();

/**
 * Resolves when the entry of the last closed sheet has left the history. The browser steps back a while after it was asked to, and would
 * take with it an address that is written before.
 */
export const historySettled = (): Promise<void> => lastClosing;

const sheetsOf = (state: unknown): number => {
  const { sheet } = Object(state) as { sheet?: unknown };
  return typeof sheet === 'number' ? sheet : 0;
};

/** Whether the present entry of the history is that of an open sheet, which its changes of the address replace. */
export const isSheetEntry = (): boolean => sheetsOf(history.state) > 0;

const mark = (sheet: number | undefined): object => ({
  ...(Object(history.state) as object),
  sheet,
});

function onPop(event: PopStateEvent): void {
  const done = awaitedSteps.shift();
  if (done) {
    event.stopImmediatePropagation();
    done();
    return;
  }
  const remaining = sheetsOf(history.state);
  for (const { depth, address, close } of openSheets.filter((sheet) => sheet.depth > remaining)) {
    if (location.href === address) event.stopImmediatePropagation();
    if (close()) continue;
    history.pushState(mark(depth), '');
    return;
  }
}

// A window calls its listeners in the order in which they came: whoever imports this file and listens afterwards is spared the steps that
// leave the page as it is. Pages are also rendered without a window.
if (typeof window !== 'undefined') addEventListener('popstate', onPop);

/** Makes the entry of a sheet an ordinary one, where the page was loaded again while the sheet was open. */
export function forgetSheetEntry(): void {
  if (openSheets.length === 0 && isSheetEntry()) history.replaceState(mark(undefined), '');
}

/** Takes the entry of a sheet out of the history, unless the page has left it meanwhile, or its address was changed in the sheet. */
function dropEntry({ depth, address }: OpenSheet, done: () => void): void {
  const isHere = sheetsOf(history.state) === depth;
  if (isHere && location.href === address) {
    awaitedSteps.push(done);
    setTimeout(() => {
      const place = awaitedSteps.indexOf(done);
      if (place !== -1) awaitedSteps.splice(place, 1);
      done();
    }, longestStep);
    history.back();
    return;
  }
  if (isHere) history.replaceState(mark(depth > 1 ? depth - 1 : undefined), '');
  done();
}

/**
 * Lets Back close a sheet that was just opened.
 * @param close Closes the sheet. Returns false while it must stay: then Back does nothing.
 * @returns what is called once, when the sheet is closed. With `stepsBack` the entry leaves the history; without it the entry stays for
 * the next sheet, because a step back would stop a page that is being opened.
 */
export function closeOnBack(close: () => boolean): (stepsBack?: boolean) => void {
  const sheet = { depth: openSheets.length + 1, address: location.href, close };
  openSheets.push(sheet);
  let isLeaving = false;
  const onLeave = () => {
    isLeaving = true;
  };
  // A sheet that was closed without a step back has left its entry here.
  if (sheetsOf(history.state) < sheet.depth) history.pushState(mark(sheet.depth), '');
  addEventListener('beforeunload', onLeave);
  return (stepsBack = true) => {
    openSheets.splice(openSheets.indexOf(sheet), 1);
    lastClosing = new Promise((done) => {
      // Whoever closes it may open another page in the same moment.
      setTimeout(() => {
        removeEventListener('beforeunload', onLeave);
        if (stepsBack && !isLeaving) dropEntry(sheet, done);
        else done();
      });
    });
  };
}

/** Lets Back close a modal dialog that is open. */
export function closeDialogOnBack(dialog: HTMLDialogElement): void {
  if (!dialog.open) return;
  const closed = closeOnBack(() => {
    dialog.close();
    return true;
  });
  dialog.addEventListener(
    'close',
    () => {
      closed();
    },
    { once: true },
  );
}
