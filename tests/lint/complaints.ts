import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

interface Diagnostic {
  message: string;
  /** The rule, as `plugin(rule)`; missing for a text that is no program. */
  code?: string;
  severity: string;
  filename: string;
  labels: { span: { offset: number } }[];
}

/** A file at a project path, with the text that it has or shall have. */
export type Case = readonly [file: string, code: string];

/** The linter's output for these files in `folder`. Rejects when it cannot run at all. */
function report(folder: string, files: readonly string[]): Promise<{ diagnostics: Diagnostic[] }> {
  return new Promise((done, fail) => {
    const program = [resolve('node_modules/oxlint/bin/oxlint'), '--format', 'json', ...files];
    execFile(
      process.execPath,
      program,
      { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 1e8 },
      (_, stdout, stderr) => {
        try {
          done(JSON.parse(stdout) as { diagnostics: Diagnostic[] });
        } catch {
          fail(new Error(`${stdout}\n${stderr}`));
        }
      },
    );
  });
}

/**
 * The findings of the project's linter, with the project's configuration, in each file of a project that has no others, in the
 * order of its lines: the messages of the project's own rules, the names of the linter's, as `plugin(rule)`. Findings of rules
 * whose name does not fit are left out. Throws for a file named twice, for one that cannot be parsed, and for a mere warning.
 */
export async function complaints(cases: readonly Case[], rules: RegExp): Promise<string[][]> {
  const files = cases.map(([file]) => file);
  if (new Set(files).size < files.length)
    throw new Error(`A file is named twice: ${files.join(' ')}`);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kasavu-lint-')));
  try {
    for (const path of ['tests/lint', 'oxlint.config.ts', 'package.json']) {
      await cp(path, join(folder, path), { recursive: true });
    }
    await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
    const typed = files.filter((file) => /\.tsx?$/u.test(file));
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: resolve('tsconfig.json'), include: [], files: typed }),
    );
    for (const [file, code] of cases) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), code);
    }
    const { diagnostics } = await report(folder, files);
    for (const { code, severity, filename, message } of diagnostics) {
      if (code === undefined || severity !== 'error') throw new Error(`${filename}: ${message}`);
    }
    const start = ({ labels: [label] }: Diagnostic): number => label?.span.offset ?? 0;
    return files.map((file) =>
      diagnostics
        .filter(
          ({ filename, code = '' }) => filename.replaceAll('\\', '/') === file && rules.test(code),
        )
        .sort((a, b) => start(a) - start(b))
        .map(({ code = '', message }) => (code.startsWith('shop(') ? message : code)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
