import type { ReactNode } from 'react';

/** The tools for the chosen rows of a list, at the foot of the screen in place of the sections. */
export function SelectionBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      className="selection-bar sticky bottom-0 z-20 mt-4 grid gap-2 border-t border-line bg-paper pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))]"
      role="group"
      aria-label={label}
    >
      {children}
    </div>
  );
}
