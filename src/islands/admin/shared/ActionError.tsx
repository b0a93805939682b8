import { useEffect, useRef } from 'react';

/** Why the last try failed, beside the button that failed: brought into sight, and read out. */
export function ActionError({ error }: { error: string | null }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (error !== null) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <p className="notice notice-danger scroll-my-24" role="alert" ref={notice}>
      {error}
    </p>
  );
}
