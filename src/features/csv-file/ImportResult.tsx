import { useEffect, useRef, type ReactNode } from 'react';
import type { Import } from './import-state.ts';

/** The faults of the chosen file, or its effect: scrolled to and focused as it comes, since a phone shows no more. An answer that is typed leaves the focus where it is. */
export function ImportResult({
  answer,
  step,
  children,
}: {
  /** The file, or what failed. */
  answer: object;
  /** What the admin has confirmed of it. */
  step: boolean;
  children: ReactNode;
}) {
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    result.current?.focus({ preventScroll: true });
    result.current?.scrollIntoView({ block: 'start' });
  }, [answer, step]);
  return (
    <div
      ref={result}
      tabIndex={-1}
      role="group"
      aria-label="Changes in the file"
      className="grid grid-cols-1 gap-3 focus:outline-none"
    >
      {children}
    </div>
  );
}

/** The images that could not be brought over, and the ways on. */
export function FailedImages({ work }: { work: Import }) {
  const { failedImages } = work;
  return (
    <div className="notice notice-danger" role="alert">
      <p className="font-medium">
        {failedImages.length === 1
          ? 'One picture could not be brought over'
          : `${String(failedImages.length)} pictures could not be brought over`}
        . Their products wait. Save again to try once more, or choose the pictures as files of the
        same names.
      </p>
      <ul className="mt-2 grid gap-1">
        {failedImages.map(({ text, reason }) => (
          <li key={text} className="wrap-anywhere">
            <b>{text}</b> {reason}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="btn btn-secondary btn-small mt-2"
        onClick={work.leaveOutFailed}
      >
        Go on without {failedImages.length === 1 ? 'this picture' : 'these pictures'}
      </button>
    </div>
  );
}
