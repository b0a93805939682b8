import { ESLint } from 'eslint';

/** The project's own configuration, without what needs types or real files: the files tried here do not exist. */
const eslint = new ESLint({
  overrideConfig: [
    { files: ['**/*.ts', '**/*.tsx'], languageOptions: { parserOptions: { projectService: false } } },
  ],
  ruleFilter: ({ ruleId }) => !/^(?:@typescript-eslint|react-hooks)\//u.test(ruleId),
});

/** What the linter says of this text in a file at this project path. Throws unless every complaint is an error. */
export async function complaints(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  if (result === undefined) throw new Error(`${filePath} is not linted`);
  for (const { fatal, severity, message } of result.messages) {
    if (fatal === true || severity !== 2) throw new Error(`${filePath}: ${message}`);
  }
  return result.messages.map(({ message }) => message);
}

/** The configuration that the linter would use for a file at this project path. */
export async function configFor(filePath: string): Promise<unknown> {
  const config: unknown = await eslint.calculateConfigForFile(filePath);
  return config;
}
