import { useEffect, useRef, type DOMAttributes } from 'react';

/** How long a finger stays on a row until it chooses it, in ms; a browser's own menu of a link comes later. */
const holdMs = 450;

/**
 * The finger that leaves is no second press, wherever it leaves: what goes away above the list while one chooses moves
 * another row under it.
 */
function swallowNextClick(): void {
  const done = new AbortController();
  const { signal } = done;
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    done.abort();
  };
  document.addEventListener('click', swallow, { capture: true, signal });
  for (const next of ['pointerdown', 'keydown'])
    document.addEventListener(next, () => done.abort(), { capture: true, signal });
}

/**
 * The handlers of a row that a finger chooses by staying on it. Nothing else depends on them: a button and boxes do the same.
 *
 * @param onHold - Null while a tap chooses.
 */
export function useHold(onHold: (() => void) | null): DOMAttributes<HTMLElement> {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTouch = useRef(false);
  const stop = () => {
    clearTimeout(timer.current);
  };
  useEffect(() => stop, []);
  return {
    onPointerDown: ({ pointerType }) => {
      stop();
      isTouch.current = pointerType === 'touch' && onHold !== null;
      if (!isTouch.current) return;
      timer.current = setTimeout(() => {
        swallowNextClick();
        onHold?.();
      }, holdMs);
    },
    onPointerUp: stop,
    // The list is being scrolled.
    onPointerCancel: stop,
    onContextMenu: (event) => {
      if (isTouch.current) event.preventDefault();
    },
  };
}
