interface FormRefusalProps {
  title?: string;
  text?: string;
}

/**
 * The words of the spec's toast for a refused form (section 5), beside its button. In a dialog a toast would lie over the fields that it
 * speaks of, or push them away; docs/design.md has the decision.
 */
export function FormRefusal({
  title = 'Validation Error',
  text = 'Please correct the highlighted fields.',
}: FormRefusalProps) {
  return (
    <p className="field-error basis-full" role="alert">
      <b className="block font-medium">{title}</b> {text}
    </p>
  );
}
