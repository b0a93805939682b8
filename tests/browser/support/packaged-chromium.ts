import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { cachePath } from '#tests/cache-folder.ts';

/** A headless Chromium for Linux x64: a version of the npm package `@sparticuz/chromium`, with its checksum. */
export interface PackagedChromium {
  readonly version: string;
  readonly integrity: string;
}

/*
 * The browser for machines where none is installed or can be. It is no dependency of the project, so that nobody else downloads its
 * 70 MB.
 */
const today: PackagedChromium = {
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};
const specOf = ({ version }: PackagedChromium): string => `@sparticuz/chromium@${version}`;
/** Package and unpacked browser together, in MB. */
const neededMb = 360;

const folderOf = ({ version }: PackagedChromium): string => cachePath(`chromium-${version}`);

/** The browser with its own libraries; with its own fonts where the machine has none. */
const launcher = `#!/bin/sh
folder=\${0%/*}
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$folder"
export LD_LIBRARY_PATH="$folder/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$folder/chromium" "$@"
`;

/** Replaces the package's file, which names folders of another machine. */
const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

export const isPackagedForThisMachine = process.platform === 'linux' && process.arch === 'x64';

/** The path of the unpacked browser. Null where it has not been fetched, or does not fit. */
export function findPackagedChromium(chromium = today): string | null {
  const path = join(folderOf(chromium), 'launch');
  return isPackagedForThisMachine && existsSync(path) ? path : null;
}

/** The files of a tar archive: paths and contents. It reads ustar with short names alone, as these archives are. */
function* filesIn(archive: Buffer): Generator<{ path: string; content: Buffer }> {
  const blockBytes = 512;
  for (let start = 0; start + blockBytes <= archive.length;) {
    const field = (from: number, bytes: number): string =>
      archive.toString('utf8', start + from, start + from + bytes).replace(/\0.*$/su, '');
    const path = field(0, 100);
    if (path === '') return;
    const size = Number.parseInt(field(124, 12), 8);
    const content = start + blockBytes;
    if (['', '0'].includes(field(156, 1)))
      yield { path, content: archive.subarray(content, content + size) };
    start = content + Math.ceil(size / blockBytes) * blockBytes;
  }
}

/** Downloads the package with npm into a folder and returns its files. */
function downloadPackage(chromium: PackagedChromium, target: string): Map<string, Buffer> {
  const spec = specOf(chromium);
  const npm = spawnSync(
    'npm',
    [
      ...['pack', spec, '--pack-destination', target, '--ignore-scripts', '--prefer-offline'],
      // Without a network npm would otherwise try for minutes.
      ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--loglevel=error'],
    ],
    { cwd: target, encoding: 'utf8' },
  );
  const archive = readdirSync(target).find((name) => name.endsWith('.tgz'));
  if (npm.status !== 0 || archive === undefined) {
    if (npm.stderr.includes('ENOSPC')) throw noSpace(target);
    const code = /code (E\w+)/u.exec(npm.stderr)?.[1] ?? npm.error?.message ?? 'it failed';
    throw new Error(
      `No browser was found, and npm could not fetch ${spec} (${code}): connect this machine to npm’s registry, install ` +
        'Chromium, or set CHROMIUM_PATH.',
    );
  }
  const bytes = readFileSync(join(target, archive));
  if (`sha512-${createHash('sha512').update(bytes).digest('base64')}` !== chromium.integrity)
    throw new Error(
      `npm fetched ${spec} with other content than these tests know, and it was not used: clear npm’s cache (\`npm cache clean --force\`) and repeat, or set CHROMIUM_PATH.`,
    );
  rmSync(join(target, archive));
  return new Map([...filesIn(gunzipSync(bytes))].map(({ path, content }) => [path, content]));
}

const noSpace = (folder: string): Error =>
  new Error(
    `There is no space for the browser in ${dirname(folder)}, which needs ${String(neededMb)} MB: free some, set XDG_CACHE_HOME to a folder with more, or set CHROMIUM_PATH to an installed browser.`,
  );

/**
 * Fetches and unpacks the browser. Two runs at once do not meet: each unpacks into a folder of its own.
 *
 * @throws An error with one sentence for the person at the terminal: no network, no space, no folder.
 */
export function installPackagedChromium(chromium = today): void {
  const folder = folderOf(chromium);
  let target: string | null = null;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    target = mkdtempSync(`${folder}-`);
    const files = downloadPackage(chromium, target);
    const unpack = (name: string): Buffer => {
      const packed = files.get(`package/bin/${name}.br`);
      if (packed === undefined) throw new Error(`${specOf(chromium)} has no ${name}.`);
      return brotliDecompressSync(packed);
    };
    // Versions differ in their archives of libraries and fonts. The rest is for drawing in three dimensions.
    for (const archive of ['aws.tar', 'al2023.tar', 'fonts.tar']) {
      if (!files.has(`package/bin/${archive}.br`)) continue;
      for (const { path, content } of filesIn(unpack(archive))) {
        mkdirSync(dirname(join(target, path)), { recursive: true });
        writeFileSync(join(target, path), content);
      }
    }
    writeFileSync(join(target, 'fonts.conf'), fontsConfig);
    writeFileSync(join(target, 'chromium'), unpack('chromium'), { mode: 0o755 });
    writeFileSync(join(target, 'launch'), launcher, { mode: 0o755 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(target, folder);
  } catch (error) {
    if (target !== null) rmSync(target, { recursive: true, force: true });
    if (findPackagedChromium(chromium) !== null) return;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOSPC') throw noSpace(folder);
    if (code === 'EACCES' || code === 'EROFS')
      throw new Error(
        `The browser cannot be stored in ${dirname(folder)}, which is not writable: set XDG_CACHE_HOME to a folder that is, or set CHROMIUM_PATH to an installed browser.`,
      );
    throw error;
  }
}
