import { useId } from 'react';
import { starPath } from '#domain/star-path.ts';
import { maxStars, starCount } from './domain/review.ts';

interface StarsFieldProps {
  name: string;
  /** '' until it is chosen. */
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
}

/** One to five stars: radio buttons, so that arrow keys and screen readers know what they are. */
export function StarsField({ name, value, error, onValue }: StarsFieldProps) {
  const id = useId();
  const stars = Array.from({ length: maxStars }, (_, index) => index + 1);
  return (
    <fieldset
      className="field"
      role="radiogroup"
      tabIndex={-1}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="field-label">Stars</legend>
      <div className="-ml-2.5 flex items-center">
        {stars.map((star) => (
          <label key={star} className="relative cursor-pointer">
            <input
              type="radio"
              className="peer visually-hidden"
              name={name}
              value={star}
              checked={value === String(star)}
              onChange={() => onValue(String(star))}
            />
            <svg
              className={`size-11 stroke-accent-700 p-2 peer-focus-visible:outline-3 peer-focus-visible:-outline-offset-2 peer-focus-visible:outline-ink-900 ${Number(value) >= star ? 'fill-accent-500' : 'fill-none'}`}
              viewBox="0 0 20 20"
              aria-hidden="true"
            >
              <path d={starPath} />
            </svg>
            <span className="visually-hidden">{starCount(star)}</span>
          </label>
        ))}
        <span className="ml-2 text-sm text-ink-500" aria-hidden="true">
          {value === '' ? '' : `${value} of ${String(maxStars)}`}
        </span>
      </div>
      {error ? (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
