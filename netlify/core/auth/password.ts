import { randomBytes, scrypt, timingSafeEqual, type BinaryLike } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordHashPattern } from '#core/platform/variables.ts';

const derive = promisify(
  (
    password: BinaryLike,
    salt: Buffer,
    length: number,
    options: { N: number; r: number; p: number; maxmem: number },
    done: (error: Error | null, key: Buffer) => void,
  ) => {
    scrypt(password, salt, length, options, done);
  },
);

/** The fewest characters of a password that `npm run hash-password` takes. */
export const minPasswordLength = 10;

async function deriveKey(
  password: string,
  salt: Buffer,
  length: number,
  [N, r, p]: Cost,
): Promise<Buffer> {
  // Normalises letters typed as two code points (Malayalam, accents).
  return derive(password.normalize('NFC'), salt, length, { N, r, p, maxmem: 256 * N * r });
}

type Cost = readonly [N: number, r: number, p: number];

/** OWASP's advice for scrypt: about 200 ms and 32 MB a try. */
const advisedCost: Cost = [32_768, 8, 3];

/** About 5 ms a try, for the password that the embedded stack prints when it starts, and for tests. */
export const demoCost: Cost = [2_048, 8, 1];

/** The line for ADMIN_PASSWORD_HASH. It names its cost, so that those of other times are still read. */
export async function hashPassword(password: string, cost = advisedCost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password, salt, 32, cost);
  return ['scrypt', ...cost, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether a password is the one of a line made by `hashPassword`; compared in constant time. */
export async function isPassword(password: string, line: string): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt = '', hash = ''] =
    passwordHashPattern.exec(line) ?? [];
  const expected = Buffer.from(hash, 'base64');
  if (expected.byteLength < 16) return false;
  const numbers = [Number(cost), Number(blockSize), Number(parallelization)] as const;
  return timingSafeEqual(
    expected,
    await deriveKey(password, Buffer.from(salt, 'base64'), expected.byteLength, numbers),
  );
}
