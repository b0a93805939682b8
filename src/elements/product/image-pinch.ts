/**
 * Tells how two fingers on an element move apart (a factor since the last move) and where their middle is. One finger
 * stays with the browser: it scrolls. The browser's own pinch, which would zoom the page, is held back.
 */
export function watchPinch(
  element: HTMLElement,
  onPinch: (factor: number, x: number, y: number) => void,
): void {
  let distance = 0;
  const follow = (event: TouchEvent) => {
    const [one, two] = event.touches;
    if (!one || !two || event.touches.length !== 2) {
      distance = 0;
      return;
    }
    if (event.cancelable) event.preventDefault();
    const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    if (distance > 0 && now > 0)
      onPinch(now / distance, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
    distance = now;
  };
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) {
    element.addEventListener(kind, follow, { passive: false });
  }
}
