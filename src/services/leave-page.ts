let leaving = false;

/**
 * Marks the page as left by its own script, until a back button restores it from the bfcache: frozen like that it would wait for the
 * other page for ever, so it loads again.
 */
export function beginLeaving(): void {
  if (leaving) return;
  leaving = true;
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload();
  });
}

/** Whether this page's own script is on the way to another page. */
export function isLeavingPage(): boolean {
  return leaving;
}

/** Opens another page from a script, instead of `location.assign`. */
export function leavePage(address: string): void {
  beginLeaving();
  window.location.assign(address);
}
