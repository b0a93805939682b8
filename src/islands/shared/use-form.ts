import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { flushSync } from 'react-dom';
import { revealField } from './reveal-field.ts';
import { useBusy } from './use-busy.ts';
import { useIsClient } from './use-is-client.ts';

/** The names of the text fields among a form's values. */
type TextField<Values> = {
  [Name in keyof Values]: string extends Values[Name] ? Name : never;
}[keyof Values] &
  string;

type FormErrors = Readonly<Record<string, string | undefined>>;

interface BoundField {
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
}

export interface Form<Values extends object> {
  values: Values;
  /** Messages by field. A message disappears when the value of its field changes. */
  errors: FormErrors;
  /** Whether one of the messages refuses its field; a question only asks. */
  isRefused: boolean;
  /** The ref of the form element. */
  ref: RefObject<HTMLFormElement | null>;
  /**
   * Props of a form that the server renders: input and presses before its script has loaded are replayed. The page needs
   * components/site/FirstState.astro.
   */
  early: { 'data-early'?: ''; method?: 'post' };
  /** `submit` is running. */
  busy: boolean;
  change: (changed: Partial<Values>) => void;
  /** Changes the values by what they are at that moment. */
  update: (next: (values: Values) => Values) => void;
  /** The props that tie a `Field` to its value and message. */
  bind: (name: TextField<Values>) => BoundField;
  /** Shows the messages, and focuses the first field that has one: it is in view with its label and message. */
  refuse: (errors: FormErrors) => void;
  /**
   * Shows a question at its field, as `refuse` does. Returns the fields with a question once each was shown for the present value, else
   * null: the next press goes on.
   */
  ask: (questions: FormErrors) => readonly string[] | null;
  /** The values of what `parseForm` returns, or null after showing its messages. */
  accept: <T>(result: { ok: true; values: T } | { ok: false; errors: FormErrors }) => T | null;
  /** The form's `onSubmit`: runs `send`, one at a time. */
  submit: (
    event: SyntheticEvent,
    send: () => Promise<void> | void,
    onFailure?: (error: unknown) => void,
  ) => Promise<void>;
}

/** The state of a form. The values stay, whether sending succeeds or fails. */
export function useForm<Values extends object>(initial: () => Values): Form<Values> {
  const [values, setValues] = useState(initial);
  const [refused, setRefused] = useState<{
    errors: FormErrors;
    values: Partial<Values>;
    isQuestion: boolean;
  }>({ errors: {}, values: {}, isQuestion: false });
  const asked = useRef<Partial<Values>>({});
  const { busy, run } = useBusy();
  const ref = useRef<HTMLFormElement>(null);

  const isClient = useIsClient();
  useLayoutEffect(() => {
    const form = ref.current;
    if (form?.dataset['early'] === undefined) return;
    const typed = new FormData(form);
    setValues((before) => {
      const kept = Object.keys(before).filter((name) => typeof typed.get(name) === 'string');
      return { ...before, ...Object.fromEntries(kept.map((name) => [name, typed.get(name)])) };
    });
  }, []);
  useEffect(() => {
    // While the form is marked as early, the page's script holds presses back.
    const pressed = isClient ? document.querySelector<HTMLElement>('[data-pressed]') : null;
    if (!pressed) return;
    delete pressed.dataset['pressed'];
    // Safari 15 has no `requestSubmit`.
    (pressed.querySelector<HTMLElement>('[type=submit]') ?? pressed).click();
  }, [isClient]);

  const errors: FormErrors = Object.fromEntries(
    Object.entries(refused.errors).filter(([field]) => {
      const name = field as keyof Values;
      return refused.values[name] === values[name];
    }),
  );
  const change = (changed: Partial<Values>) => {
    setValues((before) => ({ ...before, ...changed }));
  };
  const show = (found: FormErrors, isQuestion: boolean) => {
    // The messages are in the page before the focus moves, so that screen readers announce them.
    flushSync(() => setRefused({ errors: found, values, isQuestion }));
    const first = ref.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    first?.focus({ preventScroll: true });
    if (first) revealField(first);
  };
  const refuse = (found: FormErrors) => {
    show(found, false);
  };
  const ask = (questions: FormErrors) => {
    const fields = (Object.keys(questions) as TextField<Values>[]).filter(
      (field) => questions[field] !== undefined,
    );
    if (fields.every((field) => asked.current[field] === values[field])) return fields;
    for (const field of fields) asked.current[field] = values[field];
    show(questions, true);
    return null;
  };
  return {
    values,
    errors,
    isRefused: !refused.isQuestion && Object.keys(errors).length > 0,
    ref,
    early: isClient ? {} : { 'data-early': '', method: 'post' },
    busy,
    change,
    update: setValues,
    bind: (name) => ({
      name,
      value: values[name] as string,
      error: errors[name],
      onValue: (value) => change({ [name]: value } as Partial<Values>),
    }),
    refuse,
    ask,
    accept: (result) => {
      if (!result.ok) {
        refuse(result.errors);
        return null;
      }
      setRefused({ errors: {}, values: {}, isQuestion: false });
      return result.values;
    },
    submit: async (event, send, onFailure) => {
      event.preventDefault();
      const showFailure = (error: unknown) => {
        if (!onFailure) throw error;
        onFailure(error);
      };
      await run(showFailure, async () => {
        await send();
      });
    },
  };
}
