import type { FeatureFacts, Figures } from './count-lines.ts';
import { featuresPage } from './read-features.ts';

/** More files than this are not worth listing: the feature is a part of everything. */
const mostMentions = 8;

/** The figure of the page while the true one is near it; so a small edit of the sources leaves the page as it is. */
function refreshFigure(shown: string, lines: number): string {
  const old = Number(shown.replaceAll(',', ''));
  const isNear = Math.abs(lines - old) <= Math.max(20, old * 0.05);
  return (isNear && old > 0 === lines > 0 ? old : Math.ceil(lines / 10) * 10).toLocaleString('en');
}

function refreshRow(row: string, { code, sql, tests }: Figures): string {
  const cells = row.split(' | ');
  const shown = cells.splice(-3).map((cell) => cell.replace(/ \|$/u, ''));
  const figures = [code, sql, tests].map((lines, index) =>
    refreshFigure(shown[index] ?? '0', lines),
  );
  return `${[...cells, ...figures].join(' | ')} |`;
}

/** `needs`: without the frame, which everything needs. */
const describeNeeds = ({ needs }: FeatureFacts): string =>
  needs.filter((name) => name !== 'Frame').join(', ') || 'the frame alone';

function describeMentions({ name, mentions }: FeatureFacts): string {
  if (mentions.length === 0) return 'no file';
  return mentions.length > mostMentions
    ? `many files; \`npm run features -- "${name}"\` lists them`
    : mentions.map((file) => `\`${file}\``).join(', ');
}

/** The page with today's figures, needs and mentions. Throws a sentence when a feature has no row or no section. */
export function refreshPage(page: string, facts: readonly FeatureFacts[]): string {
  const all: Figures = { code: 0, sql: 0, tests: 0 };
  let refreshed = page;
  for (const feature of facts) {
    for (const kind of ['code', 'sql', 'tests'] as const) all[kind] += feature[kind];
    const row = new RegExp(`^\\| \\[${feature.name}\\]\\(.*$`, 'mu');
    const section = new RegExp(`^### ${feature.name}\\n\\n(?:- .*\\n|  .*\\n)+`, 'mu');
    if (!row.test(page))
      throw new Error(`"${feature.name}" has no row in the table of ${featuresPage}: add one.`);
    refreshed = refreshed
      .replace(row, (found) => refreshRow(found, feature))
      .replace(section, (found) =>
        found
          .replaceAll(/^- (?:needs|mentioned in): .*\n/gmu, '')
          .replace(/^- files:/mu, `- needs: ${describeNeeds(feature)}\n- files:`)
          .replace(/^- take out:/mu, `- mentioned in: ${describeMentions(feature)}\n- take out:`),
      );
  }
  return refreshed.replace(/^\| \*\*All\*\*.*$/mu, (row) => refreshRow(row, all));
}
