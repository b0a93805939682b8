import { execFileSync } from 'node:child_process';
import type { Database } from '#local/shared/describe-database.ts';
import type { Release } from '#local/shared/releases.ts';
import { projectRoot } from '#local/shared/settings.ts';
import { StartError } from '#local/shared/start-error.ts';

/** The functions that a site may call, by name. */
export type PublicFunctions = ReadonlyMap<string, { inputs: string[]; required: string[] }>;

/** Reads the functions of `public` with their arguments. Overloads are one function with all arguments of each. */
export async function readPublicFunctions(database: Database): Promise<PublicFunctions> {
  const rows = await database.query<{ name: string; inputs: string[]; defaults: number }>(
    `select proname as name, pronargdefaults as defaults, array(
         select n from unnest(proargnames, proargmodes) with ordinality u (n, m, i) where m is null or m in ('i', 'b', 'v') order by i
       ) as inputs
     from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' and prorettype <> 'trigger'::regtype`,
  );
  const functions = new Map<string, { inputs: string[]; required: string[] }>();
  for (const { name, inputs, defaults } of rows) {
    const before = functions.get(name) ?? { inputs: [], required: [] };
    const required = inputs.slice(0, inputs.length - defaults);
    functions.set(name, {
      inputs: [...before.inputs, ...inputs],
      required: [...before.required, ...required],
    });
  }
  return functions;
}

/** Whether the sources of a site have all of these words in one file. */
export type Mentions = (...words: string[]) => boolean;

/** Searches the site of a release, by its commit. */
export function createMentions({ commit, version }: Release, cwd = projectRoot): Mentions {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return (...words) => {
    try {
      git('cat-file', '-e', `${commit}^{commit}`);
    } catch {
      throw new StartError(
        `This clone has no commit ${commit}, of ${version}: fetch the whole history, because its site must work on the new database.`,
      );
    }
    const expressions = words.flatMap((word) => ['-e', word]);
    try {
      git('grep', '-q', '--all-match', '-w', '-F', ...expressions, commit, '--', 'src', 'netlify');
      return true;
    } catch {
      return false;
    }
  };
}

/** What the site of the last release calls and the new database lacks: one sentence for each function or argument. */
export function findBrokenCalls(
  declared: PublicFunctions,
  migrated: PublicFunctions,
  version: string,
  mentions: Mentions,
): string[] {
  const site = `The site of ${version}`;
  return [...migrated].flatMap(([name, { inputs, required }]) => {
    const now = declared.get(name);
    if (now === undefined)
      return mentions(name)
        ? [`${site} calls public.${name}: keep it, and drop it in the release after.`]
        : [];
    const lost = inputs.filter((input) => !now.inputs.includes(input) && mentions(name, input));
    const demanded = now.required.filter((input) => !required.includes(input));
    return [
      ...lost.map(
        (input) =>
          `${site} calls public.${name} with ${input}: keep the argument, and drop it in the release after.`,
      ),
      ...(demanded.length > 0 && mentions(name)
        ? [
            `${site} calls public.${name} without ${demanded.join(', ')}: give the argument a default.`,
          ]
        : []),
    ];
  });
}
