/** Runs work after the next paint, so that it does not delay the response to the current event. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => {
    setTimeout(work);
  });
}
