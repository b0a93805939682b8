import type { PublishState } from '#domain/admin/publish.ts';

/** Which products customers see only live, folded until wanted. */
export function ChangeList({ state }: { state: PublishState }) {
  const further = state.count - state.changes.length;
  return (
    <details>
      <summary className="flex min-h-11 items-center text-ink-700 underline decoration-accent-500 underline-offset-[0.25em]">
        Which ones?
      </summary>
      <ul className="max-h-56 overflow-y-auto pt-1">
        {state.changes.map(({ productId, name, kind }) => (
          <li key={`${productId}-${kind}`}>
            {name} <span className="text-ink-500">{kind}</span>
          </li>
        ))}
        {further > 0 ? <li className="text-ink-500">and {further} more</li> : null}
      </ul>
    </details>
  );
}
