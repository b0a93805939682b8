import type { ReactNode } from 'react';

interface BusyButtonProps {
  busy: boolean;
  busyText: string;
  className?: string;
  /** The id of its form, for a button outside of it. */
  form?: string;
  children: ReactNode;
}

/** A form's submit button. While busy it shows that, holds the focus and submits only once. */
export function BusyButton({
  busy,
  busyText,
  className = 'btn btn-primary btn-block',
  form,
  children,
}: BusyButtonProps) {
  return (
    <button
      type="submit"
      form={form}
      className={className}
      aria-busy={busy}
      onClick={(event) => {
        if (busy) event.preventDefault();
      }}
    >
      {busy ? busyText : children}
    </button>
  );
}
