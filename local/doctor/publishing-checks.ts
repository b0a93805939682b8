import { type Check, NotAsked, ask, tellUnreachable, valueOf } from './check.ts';

export const publishingChecks: readonly Check[] = [
  {
    name: 'The build hook is one of Netlify’s',
    run(patient) {
      const hook = valueOf(patient, 'BUILD_HOOK_URL');
      if (hook === '' || patient.embedded) return null;
      return /^https:\/\/api\.netlify\.com\/build_hooks\/[\da-f]{24}(?:\?.*)?$/u.test(hook)
        ? null
        : 'BUILD_HOOK_URL does not look like https://api.netlify.com/build_hooks/ and 24 characters.';
    },
    mend: 'Copy it from Netlify: Build & deploy, Build hooks. Make one for the production branch.',
  },
  {
    name: 'The build hook is set',
    run: (patient) =>
      patient.context === 'production' && valueOf(patient, 'BUILD_HOOK_URL') === ''
        ? 'BUILD_HOOK_URL is not set: "Publish now" does nothing, and edits wait for the next deploy.'
        : null,
    mend: 'Make a build hook in Netlify (Build & deploy, Build hooks) and set its address for production.',
  },
  {
    name: 'The build hook answers',
    run: async (patient) =>
      tellUnreachable(async () => {
        const hook = valueOf(patient, 'BUILD_HOOK_URL');
        if (!URL.canParse(hook)) throw new NotAsked('there is none.');
        // Only a POST starts a build; its being known to Netlify is told by that alone.
        const { status } = await ask(
          hook,
          patient.triggerBuild ? { method: 'POST', body: '{}' } : {},
        );
        if (patient.triggerBuild)
          return status >= 200 && status < 300
            ? null
            : `It answers ${String(status)}: Netlify does not know it.`;
        return status >= 500 ? `It answers ${String(status)}.` : null;
      }),
    mend: 'Copy the hook’s address again. `--trigger-build` asks for one build, and so makes sure.',
  },
];
