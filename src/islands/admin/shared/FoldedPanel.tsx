import type { ReactNode } from 'react';

interface FoldedPanelProps {
  title: string;
  /** Stands beside the title, such as '2 in use'. */
  summary: string;
  className?: string;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** A part of the owner's page that is folded until wanted. */
export function FoldedPanel({
  title,
  summary,
  className = '',
  open,
  onToggle,
  children,
}: FoldedPanelProps) {
  return (
    <details
      className={`group border-b border-line open:pb-4 ${className}`}
      open={open}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 text-sm/relaxed font-medium">
        {title} <span className="font-normal text-ink-500">{summary}</span>
        <span className="ml-auto text-lg/relaxed text-accent-700" aria-hidden="true">
          <span className="group-open:hidden">+</span>
          <span className="hidden group-open:inline">–</span>
        </span>
      </summary>
      {children}
    </details>
  );
}
