import { Icon } from '#islands/shared/Icon.tsx';

interface RestockStepperProps {
  label: string;
  value: number;
  max: number;
  onValue: (value: number) => void;
}

/** A number from none to `max`, pressed or typed. */
export function RestockStepper({ label, value, max, onValue }: RestockStepperProps) {
  const set = (next: number) => {
    onValue(Math.min(max, Math.max(0, next)));
  };
  const buttons = [
    ['minus', `Fewer: ${label}`, value - 1, value <= 0],
    ['plus', `More: ${label}`, value + 1, value >= max],
  ] as const;
  const [minus, plus] = buttons.map(([icon, name, next, stop]) => (
    <button
      key={icon}
      type="button"
      className="icon-btn"
      aria-label={name}
      aria-disabled={stop}
      onClick={() => {
        if (!stop) set(next);
      }}
    >
      <Icon name={icon} />
    </button>
  ));
  return (
    <div className="stepper">
      {minus}
      <input
        type="number"
        inputMode="numeric"
        aria-label={label}
        min={0}
        max={max}
        value={value}
        onChange={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          set(Number.isFinite(typed) ? Math.trunc(typed) : 0);
        }}
      />
      {plus}
    </div>
  );
}
