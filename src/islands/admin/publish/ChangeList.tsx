import type { PublishState } from '../../../domain/admin/publish.ts';

const kinds = { added: 'added', changed: 'changed', deleted: 'deleted' } as const;

/** Which products shoppers see only live, folded until wanted. */
export function ChangeList({ state }: { state: PublishState }) {
  const further = state.count - state.changes.length;
  return (
    <details className="publish-changes">
      <summary>Which ones?</summary>
      <ul>
        {state.changes.map(({ productId, name, kind }) => (
          <li key={`${productId}-${kind}`}>
            {name} <span className="text-ink-500">{kinds[kind]}</span>
          </li>
        ))}
        {further > 0 ? <li className="text-ink-500">and {further} more</li> : null}
      </ul>
    </details>
  );
}
