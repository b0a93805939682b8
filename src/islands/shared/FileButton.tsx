import { useId, type ComponentProps } from 'react';

/** Chooses files: the browser's own button is in its own language and type. */
export function FileButton({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div>
      <input className="peer visually-hidden" id={id} type="file" {...input} />
      <label
        className="btn btn-secondary peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-ink-900"
        htmlFor={id}
      >
        {label}
      </label>
    </div>
  );
}
