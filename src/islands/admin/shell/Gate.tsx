import type { ReactNode } from 'react';

interface GateProps {
  title: string;
  /** Nothing can be typed yet. */
  busy?: boolean;
  className?: string;
  children: ReactNode;
}

/** The panel in the middle of the page before the dashboard is there. */
export function Gate({ title, busy = false, className = '', children }: GateProps) {
  return (
    <div
      className={`panel mx-auto mt-[clamp(1rem,8vh,6rem)] max-w-[26rem] ${className}`}
      aria-busy={busy}
    >
      <h1 className="page-title">{title}</h1>
      <hr className="hairline mt-4 mb-5 w-16" />
      {children}
    </div>
  );
}
