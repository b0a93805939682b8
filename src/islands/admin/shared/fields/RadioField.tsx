interface RadioFieldProps {
  /** Name of the group. */
  name: string;
  label: string;
  hint: string;
  checked: boolean;
  /** Nothing is chosen in the group, and something must be. */
  invalid?: boolean;
  onChoose: () => void;
}

/** One of several choices, with a line about what it means; all of it can be pressed. */
export function RadioField({
  name,
  label,
  hint,
  checked,
  invalid = false,
  onChoose,
}: RadioFieldProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1 text-sm/relaxed">
      <input
        type="radio"
        name={name}
        className="size-[1.375rem] flex-none accent-brand-700"
        checked={checked}
        aria-invalid={invalid || undefined}
        onChange={onChoose}
      />
      <span>
        {label} <span className="block text-ink-500">{hint}</span>
      </span>
    </label>
  );
}
