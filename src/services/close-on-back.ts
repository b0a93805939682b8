/*
 * The browser's Back closes a sheet that lies over the page, instead of leaving the page. An open sheet has an entry of its own in the
 * history, with the page's address: `sheet` in its state counts the sheets that are open there.
 */

/** How many sheets are open, one above the other. */
let openSheets = 0;

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

/** Makes the entry of a sheet an ordinary one, where the page was loaded again while the sheet was open. */
export function forgetSheetEntry(): void {
  if (openSheets === 0 && isSheetEntry()) history.replaceState(mark(undefined), '');
}

/** Takes the entry of a sheet out of the history, unless the page has left it meanwhile, or its address was changed in the sheet. */
function dropEntry(depth: number, address: string): void {
  if (sheetsOf(history.state) !== depth) return;
  if (location.href !== address) {
    history.replaceState(mark(depth > 1 ? depth - 1 : undefined), '');
    return;
  }
  // Nothing has changed for whoever listens: the page is the same.
  addEventListener('popstate', (event) => event.stopImmediatePropagation(), {
    capture: true,
    once: true,
  });
  history.back();
}

/**
 * Lets Back close a sheet that was just opened.
 * @param close Closes the sheet. Returns false while it must stay: then Back does nothing.
 * @returns what is called once, when the sheet is closed. With `stepsBack` the entry leaves the history; without it the entry stays for
 * the next sheet, because a step back would stop a page that is being opened.
 */
export function closeOnBack(close: () => boolean): (stepsBack?: boolean) => void {
  const address = location.href;
  openSheets += 1;
  const depth = openSheets;
  let isLeaving = false;
  const onLeave = () => {
    isLeaving = true;
  };
  const onPop = (event: PopStateEvent) => {
    if (sheetsOf(history.state) >= depth) return;
    if (location.href === address) event.stopImmediatePropagation();
    if (!close()) history.pushState(mark(depth), '');
  };
  // A sheet that was closed without a step back has left its entry here.
  if (sheetsOf(history.state) < depth) history.pushState(mark(depth), '');
  addEventListener('popstate', onPop, { capture: true });
  addEventListener('beforeunload', onLeave);
  return (stepsBack = true) => {
    openSheets -= 1;
    removeEventListener('popstate', onPop, { capture: true });
    // Whoever closes it may open another page in the same moment.
    setTimeout(() => {
      removeEventListener('beforeunload', onLeave);
      if (stepsBack && !isLeaving) dropEntry(depth, address);
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
