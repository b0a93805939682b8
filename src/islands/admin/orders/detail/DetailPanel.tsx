import { useId, type ReactNode } from 'react';

interface DetailPanelProps {
  title: string;
  /** Small text after the title. */
  aside?: string;
  children: ReactNode;
}

/** One of the panels of an order, named by its heading. */
export function DetailPanel({ title, aside, children }: DetailPanelProps) {
  const id = useId();
  return (
    <section className="panel px-[clamp(1rem,3vw,1.5rem)] py-4" aria-labelledby={id}>
      <h3 className="text-lg" id={id}>
        {title}{' '}
        {aside === undefined ? null : (
          <span className="font-text text-sm text-ink-500">{aside}</span>
        )}
      </h3>
      {children}
    </section>
  );
}
