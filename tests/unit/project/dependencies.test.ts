import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { reportFigures } from '#tests/figures.ts';

/*
 * The installed packages are those of the lockfile, byte by byte, and run nothing of their own unless `allowScripts` names it.
 * The lockfile names no addresses: each package comes from the registry that npm is set to. It names the packages of every
 * platform with their checksums, because the machine of whoever works on the shop holds its secrets. npm leaves out those of other
 * platforms than its own: CONTRIBUTING says where they come from.
 */
const versions = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  dependencies: versions,
  devDependencies: versions,
  allowScripts: z.record(z.string(), z.boolean()),
});
const lockedSchema = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  hasInstallScript: z.boolean().default(false),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const lockSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(z.string(), lockedSchema),
});
type Manifest = z.infer<typeof manifestSchema>;
type Lock = z.infer<typeof lockSchema>;

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
const manifest = manifestSchema.parse(read('package.json'));
const lock = lockSchema.parse(read('package-lock.json'));

/** Faults of the packages: unlocked or changed ones, and install scripts that nobody allowed. */
function faultsOf(
  { dependencies, devDependencies, allowScripts }: Manifest,
  { packages }: Lock,
): { unlocked: string[]; scripts: string[] } {
  const { '': own, ...installed } = packages;
  const wanted = { ...dependencies, ...devDependencies };
  const unlocked = [
    ...Object.entries(wanted)
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version))
      .map(([name]) => `${name} has no exact version`),
    ...Object.entries(wanted)
      .filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)
      .map(([name]) => `${name} is locked at another version, or not at all`),
    ...(JSON.stringify([own?.dependencies, own?.devDependencies]) ===
    JSON.stringify([dependencies, devDependencies])
      ? []
      : ['the lockfile is of another package.json']),
    ...Object.entries(installed)
      .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/u.test(integrity ?? ''))
      .map(([path]) => `${path} has no SHA-512`),
    ...Object.entries(installed)
      .filter(([, { resolved }]) => resolved !== undefined)
      .map(([path]) => `${path} is from elsewhere`),
  ];
  const nameOf = (path: string): string => path.replace(/^.*node_modules\//u, '');
  const scripts = Object.entries(installed).filter(
    ([path, { hasInstallScript }]) => hasInstallScript && !(nameOf(path) in allowScripts),
  );
  return { unlocked, scripts: scripts.map(([path]) => path) };
}

const changed = (
  change: (copy: { manifest: Manifest; lock: Lock }) => void,
): { unlocked: string[]; scripts: string[] } => {
  const copy = structuredClone({ manifest, lock });
  change(copy);
  return faultsOf(copy.manifest, copy.lock);
};
const integrity = `sha512-${'A'.repeat(86)}==`;
const none = {
  dependencies: {},
  devDependencies: {},
  optionalDependencies: {},
  hasInstallScript: false,
  version: '1.0.0',
};
const tampered = {
  'a package that is not locked': changed((copy) => {
    copy.manifest.dependencies['left-pad'] = '1.3.0';
  }),
  'a range instead of a version': changed((copy) => {
    copy.manifest.dependencies['react'] = '^19.0.0';
  }),
  'a package without a checksum': changed((copy) => {
    copy.lock.packages['node_modules/left-pad'] = none;
  }),
  'a package from another address': changed((copy) => {
    copy.lock.packages['node_modules/left-pad'] = {
      ...none,
      integrity,
      resolved: 'https://elsewhere.example/left-pad.tgz',
    };
  }),
  'an install script': changed((copy) => {
    copy.lock.packages['node_modules/left-pad'] = { ...none, integrity, hasInstallScript: true };
  }),
};

test('every package is locked with its checksum, and no install script runs that nobody allowed', () => {
  const { unlocked, scripts } = faultsOf(manifest, lock);
  const refused = Object.values(tampered).filter(
    (faults) => faults.unlocked.length + faults.scripts.length > 0,
  ).length;
  reportFigures(20, {
    'locked packages': Object.keys(lock.packages).length - 1,
    'unlocked or changed': unlocked.length,
    'install scripts not allowed': scripts.length,
    'tampered locks refused': refused,
  });
  expect({ unlocked, scripts }).toEqual({ unlocked: [], scripts: [] });
});

test('a package that is unlocked, changed or brings an install script is refused', () => {
  for (const [what, { unlocked, scripts }] of Object.entries(tampered))
    expect([...unlocked, ...scripts].join(), what).toMatch(/left-pad|react/u);
});

/** The path of the package that one at `from` loads by this name, or null. */
function pathOf(from: string, name: string): string | null {
  const path = `${from && `${from}/`}node_modules/${name}`;
  if (path in lock.packages) return path;
  const end = from.lastIndexOf('/node_modules/');
  if (from === '') return null;
  return pathOf(end === -1 ? '' : from.slice(0, end), name);
}

test('the lockfile names the packages of every platform, at the version that their package asks for', () => {
  const missing = Object.entries(lock.packages).flatMap(([from, { optionalDependencies }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => {
        const path = pathOf(from, name);
        const locked = path === null ? undefined : lock.packages[path]?.version;
        return locked === undefined || (/^\d/u.test(version) && locked !== version);
      })
      .map(([name, version]) => `${name}@${version}`),
  );
  expect(missing).toEqual([]);
});
