import { mkdir, readdir, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '#local/shared/start-error.ts';

/** Paths in the data folder (SHOP_DATA_DIR). */
export interface DataFolder {
  root: string;
  /** PGlite's files. */
  database: string;
  /** Uploaded images. */
  objects: string;
  mail: string;
  /** Images already resized by the image CDN. */
  images: string;
  builds: string;
  /** A link to the build that is served; replaced in one step. */
  dist: string;
  astroCache: string;
  /** Console output of the functions. */
  functionLog: string;
  secrets: string;
  /** The migrations that the database was made with. */
  migrations: string;
  /** The process that uses the folder, from the first moment of a start. */
  lock: string;
  /** The running stack's addresses, process id and sign-ins, once it is ready. */
  running: string;
  seeded: string;
  built: string;
  razorpay: string;
}

const marker = 'about-this-folder.txt';
const aboutText =
  'Data of the embedded shop: database, pictures, mail and secrets made for this machine.\n`npm run reset` empties it.\n';

export function dataFolderAt(root: string): DataFolder {
  const at = (name: string): string => join(root, name);
  return {
    root,
    database: at('database'),
    objects: at('objects'),
    mail: at('mail'),
    images: at('images'),
    builds: at('builds'),
    dist: at('dist'),
    astroCache: at('astro-cache'),
    functionLog: at('functions.log'),
    secrets: at('secrets.json'),
    migrations: at('migrations.json'),
    lock: at('lock.json'),
    running: at('running.json'),
    seeded: at('seeded.json'),
    built: at('built.json'),
    razorpay: at('razorpay.json'),
  };
}

/** Whether a folder was made by `prepareDataFolder`. */
export async function isDataFolder(root: string): Promise<boolean> {
  return stat(join(root, marker)).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** Makes the folder if needed and tries to write into it. Throws StartError when it cannot be used. */
export async function prepareDataFolder(root: string): Promise<DataFolder> {
  let folder: DataFolder;
  let entries: string[];
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    // One name for one folder, however it is reached.
    folder = dataFolderAt(await realpath(root));
    entries = await readdir(root);
  } catch (error) {
    throw new StartError(
      `The data folder ${root} cannot be read (${codeOf(error)}): change it or set SHOP_DATA_DIR.`,
    );
  }
  if (entries.length > 0 && !entries.includes(marker)) {
    throw new StartError(
      `${root} holds something else than a shop's data: set SHOP_DATA_DIR to an empty folder.`,
    );
  }
  await checkFreeSpace(root, entries.length === 0 ? newFolderBytes : keptFolderBytes);
  try {
    const probe = join(root, `.probe-${String(process.pid)}`);
    await writeFile(probe, '');
    await rm(probe);
    await writeFile(join(root, marker), aboutText);
    for (const path of [folder.objects, folder.mail, folder.images, folder.builds])
      await mkdir(path, { recursive: true });
  } catch (error) {
    throw new StartError(
      `The data folder ${root} cannot be written (${codeOf(error)}): change it or set SHOP_DATA_DIR.`,
    );
  }
  return folder;
}

/** Free space (bytes) that a new folder needs until its first build, and that a day of work adds to an existing one, with a margin. */
const newFolderBytes = 150e6;
const keptFolderBytes = 40e6;

/** Checks for a full disk before anything is written: Postgres would otherwise fail with an unclear error, or leave half a database. */
async function checkFreeSpace(root: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new StartError(
    `The disk of ${root} is full (${String(Math.floor(free / 1e6))} MB free, ${String(bytes / 1e6)} needed): free some space, or set SHOP_DATA_DIR to a folder on another one.`,
  );
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
