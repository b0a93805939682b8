/*
 * `npm run new-shop`: asks ten questions and writes src/shop: the settings, neutral words, icons, images and colours of a shop of one's own.
 * `--yes` takes the answers from the command line, and what is not given from the question's own.
 */
import { existsSync, fstatSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { faultsOf } from '#integrations/check-shop/check-shop.ts';
import { isDemoShop } from '#integrations/check-shop/placeholders.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import { runCommand } from './backup/command-line.ts';
import { say } from './shared/log.ts';
import { projectRoot } from './shared/settings.ts';
import { StartError } from './shared/start-error.ts';
import { drawIcons } from './shop-folder/draw-icons.ts';
import { drawPictures } from './shop-folder/draw-pictures.ts';
import { settingsOfAnswers } from './shop-folder/settings-of-answers.ts';
import { questions, type Question, type ShopAnswers } from './shop-folder/shop-answers.ts';
import { writeCatalogue } from './shop-folder/write-catalogue.ts';
import { writeSettings } from './shop-folder/write-settings.ts';
import { writeTexts } from './shop-folder/write-texts.ts';

const names = Object.keys(questions) as Question[];
const folder = join(projectRoot, 'src/shop');
const usage = `npm run new-shop [-- --yes] [-- ${names.map((name) => `--${name} …`).join(' ')}]
  Writes src/shop for a shop of your own. Asks ten questions; with --yes none.
${names.map((name) => `  --${name.padEnd(12)}${questions[name].ask} (${questions[name].otherwise})`).join('\n')}
  --again       also when src/shop is not the demo shop any more`;

const firstMessage = (error: z.ZodError): string => error.issues[0]?.message ?? 'not understood';

/**
 * Returns the standard input, to its end. A file is read from its beginning: npm, which hands it on, may have read it, and both
 * share the place in it.
 */
function readInput(descriptor: number): string {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return readFileSync(descriptor, 'utf8');
  const bytes = Buffer.alloc(stats.size);
  return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, stats.size, 0));
}

/** Asks until each answer can be read. Options of the command line are answers already. */
async function askAll(given: Readonly<Record<string, unknown>>): Promise<ShopAnswers> {
  const { stdin, stdout } = process;
  const terminal = stdin.isTTY ? createInterface({ input: stdin, output: stdout }) : null;
  // A script writes its answers ahead, a line each.
  const lines = terminal || given['yes'] === true ? [] : readInput(stdin.fd).split('\n');
  const ask = async (question: string): Promise<string> => {
    if (terminal) return terminal.question(question);
    const line = lines.shift();
    // What follows the last line break is no line.
    if (line === undefined || lines.length === 0)
      throw new StartError('The answers ended before the last question. Nothing was written.');
    return line;
  };
  const answers: Partial<Record<Question, unknown>> = {};
  try {
    for (const name of names) {
      const { ask: question, otherwise, read } = questions[name];
      for (;;) {
        const option = given[name];
        const isAsked = given['yes'] !== true && typeof option !== 'string';
        const typed = isAsked ? await ask(`${question} [${otherwise}] `) : (option ?? '');
        const answer = read.safeParse(typed === '' ? otherwise : typed);
        if (answer.success) {
          answers[name] = answer.data;
          break;
        }
        if (!isAsked) throw new StartError(`--${name}: ${firstMessage(answer.error)}.`);
        say(`  ${firstMessage(answer.error)}`);
      }
    }
  } finally {
    terminal?.close();
  }
  return answers as ShopAnswers;
}

async function newShop(): Promise<void> {
  const { values } = parseArgs({
    options: {
      yes: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    },
  });
  if (values.help) {
    say(usage);
    return;
  }
  if (!existsSync(folder)) throw new StartError('There is no src/shop in this folder.');
  if (!isDemoShop(shopFolder.shop) && !values.again)
    throw new StartError(
      `src/shop is ${shopFolder.shop.name} already. To write it anew, which loses its settings and texts, add --again.`,
    );
  const answers = await askAll(values);
  const settings = settingsOfAnswers(shopFolder, answers);
  const faults = faultsOf(settings);
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  await writeSettings(folder, settings);
  await writeTexts(folder, settings);
  await drawIcons(folder, settings.theme);
  const warning = await drawPictures(folder, settings.shop.name, settings.theme);
  const products = await writeCatalogue(folder, shopFolder, settings, answers.products === 'empty');
  say(`src/shop is ${settings.shop.name} now. ${products}

Next:
  npm start                 your shop in a browser; run "npm run reset" first if you had started the demo shop
  src/shop/texts/           your words; src/shop/public/pictures/ your pictures
  npm run doctor            names every line that still says (replace): a production build refuses them
  docs/going-live.md        from here to customers${warning === null ? '' : `\n\n${warning}`}`);
}

await runCommand(newShop);
