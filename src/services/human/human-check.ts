/** A check that a person sends a form. `place` is where its widget appears, `action` names the form. */
export interface HumanCheck {
  begin: (place: HTMLElement, action: string) => void;
  /** Sends with a token, or with none where the check is off. Throws HumanCheckError when there is no token. */
  send: <T>(
    place: HTMLElement,
    action: string,
    send: (token: string | undefined) => Promise<T>,
  ) => Promise<T>;
}

/** The check that a feature adds: `src/features/NAME/human-check.ts`. */
const [check] = Object.values(
  import.meta.glob<HumanCheck>('../../features/*/human-check.ts', {
    eager: true,
    import: 'humanCheck',
  }),
);

/**
 * Begins the check of a form as somebody starts to fill it in, so that nobody waits for it later. `place` is where the widget
 * appears, if it asks anything at all; `action` names the form.
 */
export function beginHumanCheck(place: HTMLElement | null, action: string): void {
  if (place !== null) check?.begin(place, action);
}

/**
 * Sends something with a token of the check, or with none where the check is off. A token is good for one request: afterwards the
 * widget makes another. Throws HumanCheckError, with a sentence for the visitor, when there is no token.
 */
export function withHumanCheck<T>(
  place: HTMLElement | null,
  action: string,
  send: (token: string | undefined) => Promise<T>,
): Promise<T> {
  return place === null || check === undefined ? send(undefined) : check.send(place, action, send);
}
