/** Runs work when the frame that answers the event at hand is on the screen: nobody waits for more than that. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => {
    setTimeout(work);
  });
}
