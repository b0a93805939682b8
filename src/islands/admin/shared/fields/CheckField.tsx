interface CheckFieldProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChecked: (checked: boolean) => void;
}

/** A checkbox with its label, all of which can be pressed. */
export function CheckField({ label, checked, disabled = false, onChecked }: CheckFieldProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm/relaxed">
      <input
        type="checkbox"
        className="size-[1.375rem] flex-none accent-brand-700"
        checked={checked}
        disabled={disabled}
        onChange={(event) => {
          onChecked(event.currentTarget.checked);
        }}
      />
      <span>{label}</span>
    </label>
  );
}
