import { type Check, Skipped, ask, tellUnreachable, valueOf } from './check.ts';

export const publishingChecks: readonly Check[] = [
  {
    name: 'The build hook is one of Netlify’s',
    run(target) {
      const hook = valueOf(target, 'BUILD_HOOK_URL');
      if (hook === '' || target.embedded) return null;
      return /^https:\/\/api\.netlify\.com\/build_hooks\/[\da-f]{24}(?:\?.*)?$/u.test(hook)
        ? null
        : 'BUILD_HOOK_URL does not look like https://api.netlify.com/build_hooks/ and 24 characters.';
    },
    fix: 'Copy it from Netlify: Build & deploy, Build hooks. Make one for the production branch.',
  },
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
