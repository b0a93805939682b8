/* `npm run hash-password`: reads a password, without showing it, and prints the line for ADMIN_PASSWORD_HASH. */
import { hashPassword, minPasswordLength } from '#core/auth/password.ts';

/** Reads a line from the terminal without echo. Null when the user cancels. */
async function readUnseen(question: string): Promise<string | null> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  let typed = '';
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed;
        // Ctrl-C, Ctrl-D.
        if (character === '\u0003' || character === '\u0004') return null;
        if (character === '\u007f' || character === '\b')
          typed = Array.from(typed).slice(0, -1).join('');
        else if (character >= ' ') typed += character;
      }
    }
    return null;
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

async function readPiped(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/u, '');
}

const password = process.stdin.isTTY
  ? await readUnseen(`The owner’s password, at least ${String(minPasswordLength)} characters: `)
  : await readPiped();

if (password === null) {
  process.exitCode = 130;
} else if (password.length < minPasswordLength || password.length > 200) {
  process.stderr.write(
    `A password has at least ${String(minPasswordLength)} characters, and at most 200. Nothing was made.\n`,
  );
  process.exitCode = 1;
} else {
  process.stderr.write(
    'Set this as ADMIN_PASSWORD_HASH, in single quotes where a shell or file reads it:\n',
  );
  process.stdout.write(`${await hashPassword(password)}\n`);
}
process.stdin.pause();
