import { type Check, Skipped, ask, tellUnreachable, valueOf } from './check.ts';

export const publishingChecks: readonly Check[] = [
  {
    name: 'The build hook answers',
    run: async (target) =>
      tellUnreachable(async () => {
        const hook = valueOf(target, 'BUILD_HOOK_URL');
        if (!URL.canParse(hook)) throw new Skipped('there is none.');
        // Only a POST, which starts a build, shows whether Netlify knows the hook.
        const { status } = await ask(
          hook,
          target.triggerBuild ? { method: 'POST', body: '{}' } : {},
        );
        if (target.triggerBuild)
          return status >= 200 && status < 300
            ? null
            : `It answers ${String(status)}: Netlify does not know it.`;
        return status >= 500 ? `It answers ${String(status)}.` : null;
      }),
    fix: 'Copy the hook’s address again. `--trigger-build` asks for one build, and so makes sure.',
  },
];
