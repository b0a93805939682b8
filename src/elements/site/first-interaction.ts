/** Calls back once, on the first interaction: a pointer move, touch, scroll or key press. */
export function onFirstInteraction(run: () => void): void {
  const once = new AbortController();
  // It runs before anything that answers the same event.
  const options = { passive: true, capture: true, signal: once.signal };
  const onEvent = (event: Event): void => {
    // Browsers report a pointer that rests when the page below it changes, also where there is none.
    const { movementX, movementY } = event as Partial<PointerEvent>;
    if (event.type === 'pointermove' && movementX === 0 && movementY === 0) return;
    once.abort();
    run();
  };
  for (const kind of ['pointermove', 'pointerdown', 'scroll', 'keydown'])
    window.addEventListener(kind, onEvent, options);
}
