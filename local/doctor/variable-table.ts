import { variables } from '#core/platform/variables.ts';

const uses = {
  needed: '',
  optional: ' (optional)',
  platform: ' (set by Netlify)',
  embedded: ' (never set by hand)',
} as const;

/** The table of docs/going-live.md, in Markdown: `npm run doctor -- --variables` prints it. */
export function variableTable(): string {
  const rows = Object.entries(variables).map(
    ([name, { from, secret, contexts, use }]) =>
      `| \`${name}\`${uses[use]} | ${from} | ${secret ? 'secret' : 'public'} | ${contexts} |`,
  );
  return ['| variable | where from | | contexts |', '|---|---|---|---|', ...rows].join('\n');
}
