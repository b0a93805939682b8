/** Calls back once, when somebody first looks around: moves the pointer, touches, scrolls or presses a key. */
export function onFirstInteraction(run: () => void): void {
  const once = new AbortController();
  for (const kind of ['pointermove', 'pointerdown', 'scroll', 'keydown']) {
    // Before anything that answers the same event.
    const options = { passive: true, capture: true, signal: once.signal };
    window.addEventListener(kind, () => { once.abort(); run(); }, options);
  }
}
