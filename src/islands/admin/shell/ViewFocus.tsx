import { useEffect, useRef, type ReactNode } from 'react';

interface ViewFocusProps {
  /** Names the view; when it changes, the focus moves to the new view's heading, not before. */
  view: string;
  children: ReactNode;
}

const isVisible = (element: Element): boolean => element.getClientRects().length > 0;

/** Waits for the heading of a view whose code is still on its way; gives up after a while. */
function focusHeading(container: HTMLElement): () => void {
  const take = (): boolean => {
    const { activeElement } = document;
    // The view has put it where the admin was before.
    if (activeElement && container.contains(activeElement) && isVisible(activeElement)) return true;
    const heading = [...container.querySelectorAll('h2')].find(isVisible);
    if (!heading) return false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
    return true;
  };
  if (take()) return () => undefined;
  const watcher = new MutationObserver(() => {
    if (take()) watcher.disconnect();
  });
  watcher.observe(container, { childList: true, subtree: true });
  const timer = setTimeout(() => {
    watcher.disconnect();
  }, 10_000);
  return () => {
    clearTimeout(timer);
    watcher.disconnect();
  };
}

/** The place where views are shown. A screen reader hears where a link has led. */
export function ViewFocus({ view, children }: ViewFocusProps) {
  const container = useRef<HTMLDivElement>(null);
  const last = useRef(view);
  useEffect(() => {
    if (last.current === view || !container.current) return;
    last.current = view;
    // Do nothing when a view has placed focus and scroll itself (an order, the list behind it).
    if (container.current.contains(document.activeElement)) return;
    return focusHeading(container.current);
  }, [view]);
  return (
    <div ref={container} className="grid gap-6 pt-6 *:min-w-0 [&_h2]:focus:outline-none">
      {children}
    </div>
  );
}
