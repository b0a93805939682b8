import { StartError } from './start-error.ts';

const minimum = [24, 0] as const;

/** Throws StartError on a Node too old for Astro, Vite and TypeScript without a build step. */
export function checkNodeVersion(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return;
  throw new StartError(
    `Node ${minimum.join('.')} or newer is needed and this is ${version}: run \`npm start\`, which picks the right one.`,
  );
}
