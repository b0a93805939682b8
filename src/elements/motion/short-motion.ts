/** Moves an element for a moment, as an answer to a press; not for a visitor who wants no motion. */
export function moveBriefly(element: Element | null, frames: PropertyIndexedKeyframes): void {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) element?.animate(frames, 160);
}
