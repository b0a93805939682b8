/** Why the last try failed, beside the button that failed. The toast has read it out already. */
export function ActionError({ error }: { error: string | null }) {
  return error === null ? null : <p className="notice notice-danger">{error}</p>;
}
