/*
 * The browser's Back closes a sheet that lies over the page, instead of leaving the page. An open sheet has an entry of its own in the
 * history, with the page's address: `sheet` in its state counts the sheets that are open there.
 */

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
 * @returns what is called once the sheet is closed, however that happened: no entry stays behind
 */
export function closeOnBack(close: () => boolean): () => void {
  const address = location.href;
  const depth = sheetsOf(history.state) + 1;
  let isLeaving = false;
  const onLeave = () => {
    isLeaving = true;
  };
  const onPop = (event: PopStateEvent) => {
    if (sheetsOf(history.state) >= depth) return;
    if (location.href === address) event.stopImmediatePropagation();
    if (close()) stop();
    else history.pushState(mark(depth), '');
  };
  const stop = () => {
    removeEventListener('popstate', onPop, { capture: true });
  };
  history.pushState(mark(depth), '');
  addEventListener('popstate', onPop, { capture: true });
  addEventListener('beforeunload', onLeave);
  return () => {
    stop();
    // Whoever closes it may open another page in the same moment, which a step back would stop.
    setTimeout(() => {
      removeEventListener('beforeunload', onLeave);
      if (!isLeaving) dropEntry(depth, address);
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
  dialog.addEventListener('close', closed, { once: true });
}
