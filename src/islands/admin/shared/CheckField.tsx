interface CheckFieldProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChecked: (checked: boolean) => void;
}

/** A checkbox with its label, all of which can be pressed. */
export function CheckField({ label, checked, disabled = false, onChecked }: CheckFieldProps) {
  return (
    <label className="check-field">
      <input
        type="checkbox"
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
