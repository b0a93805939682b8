import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';

/** One test of a run, as both test runners report it. */
export interface TestResult {
  /** File, line or project, and title. */
  name: string;
  failed: boolean;
  /** Why it failed: message and stack of each error, as the runner prints them. */
  errors: readonly string[];
  ms: number;
  /** Runs this test alone. */
  command: string;
  /** Screenshots and traces of a failure. */
  files: readonly string[];
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.nullish(z.number()),
          failureMessages: z.nullish(z.array(z.string())),
        }),
      ),
    }),
  ),
});

/** A string as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const pattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);

/** The tests in a JSON report of Vitest. A file that cannot be loaded counts as one failed test. */
export function vitestResults(report: unknown, root: string): TestResult[] {
  return vitestReport
    .parse(report)
    .testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = relative(root, name);
      const command = `npx vitest run ${file}`;
      const tests = assertionResults.map((test) => ({
        name: `${file} › ${test.fullName}`,
        failed: test.status === 'failed',
        errors: test.failureMessages ?? [],
        ms: test.duration ?? 0,
        command: `${command} -t ${quoted(pattern(test.fullName))}`,
        files: [],
      }));
      // It counts a failing hook, too, after which the tests themselves count as skipped.
      return status === 'failed' && !tests.some(({ failed }) => failed)
        ? [
            ...tests,
            {
              name: file,
              failed: true,
              errors: message ? [message] : [],
              ms: 0,
              command,
              files: [],
            },
          ]
        : tests;
    });
}

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.string(),
      results: z.array(
        z.object({
          duration: z.number(),
          errors: z.array(z.object({ message: z.optional(z.string()) })),
          attachments: z.array(z.object({ path: z.optional(z.string()) })),
        }),
      ),
    }),
  ),
});
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec),
  get suites() {
    return z.optional(z.array(playwrightSuite));
  },
});
type PlaywrightSuite = z.infer<typeof playwrightSuite>;
const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(playwrightSuite),
});

const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

/** The tests in a JSON report of Playwright. */
export function playwrightResults(report: unknown, root: string): TestResult[] {
  const { config, suites } = playwrightReport.parse(report);
  const folder = relative(root, config.rootDir);
  return suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) =>
    tests.map(({ projectName, status, results }) => {
      const place = `${folder}/${file}:${String(line)}`;
      return {
        name: `[${projectName}] ${place} › ${title}`,
        failed: status === 'unexpected',
        errors: results.flatMap(({ errors }) => errors.flatMap(({ message }) => message ?? [])),
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
        command: `npx playwright test ${place} --project=${projectName} --no-deps --trace on`,
        files: results
          .flatMap(({ attachments }) => attachments.flatMap(({ path }) => path ?? []))
          .map((path) => relative(root, path)),
      };
    }),
  );
}

/** Lines of an error in the summary: the message, what was expected, and the lines of the test around it. */
const maxErrorLines = 12;

const firstLines = (error: string): string[] =>
  stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, maxErrorLines);

/**
 * The last lines of a run: its ten slowest tests, then each failed test with the beginning of its errors, its files and
 * the command that repeats it. Whoever sees only the end of a log still learns why.
 */
export function runSummary(tests: readonly TestResult[]): string {
  const slowest = [...tests].toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  const failed = tests.filter((test) => test.failed);
  return [
    'The ten slowest tests:',
    ...slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`),
    ...(failed.length === 0 ? [] : ['', `Failed tests: ${String(failed.length)}`]),
    ...failed.flatMap(({ name, errors, files, command }) => [
      `  ${name}`,
      ...errors.flatMap((error) => firstLines(error).map((line) => `    | ${line}`)),
      ...files.map((file) => `    ${file}`),
      `    ${command}`,
    ]),
  ].join('\n');
}
