import { useEffect, useRef } from 'react';

/** Why the last try failed, beside the button that failed: brought into sight, and read out. */
export function ActionError({
  error,
  className = 'scroll-my-24',
}: {
  error: string | null;
  className?: string;
}) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (error !== null) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <p className={`notice notice-danger ${className}`} role="alert" ref={notice}>
      {error}
    </p>
  );
}
