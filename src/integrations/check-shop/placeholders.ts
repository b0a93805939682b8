import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What `npm run new-shop` and the demo shop mark as to be replaced: '(replace)', '(example)', 'Example Road', and addresses at '.example', a
 * domain that nobody can have (RFC 2606). The sentences are those that `new-shop` wrote before 1.3.0, without a mark.
 */
const placeholder = new RegExp(
  [
    String.raw`\(replace\)|\(example\)|\.example\b|\bExample [A-Z]`,
    // The demo shop's third line of hours, which the spec leaves without a PM, and the days of its policies.
    String.raw`Sun 10:00 AM-6:00(?! ?PM)|policiesUpdated: '2026-11-28'`,
    'Tell here how |Then say what you make or choose|Whose forms are these, and who taught you|Say here, in three or four',
  ].join('|'),
  'u',
);
const comment = /^\s*(?:#(?!#)\s|\/\/|\/?\*)/u;

/** SHA-256 of the demo shop's own images. */
export const demoImages: Readonly<Record<string, string>> = {
  'public/social-card.jpg': '20f383c1395c3ee31e6f6e24d7176aa6f8f29f3f866c9417814001db0ab2c5b1',
  'public/pictures/about.webp': '12b9ace0f305a589b5838db1f9cf68268fa86f58cf06228ef03035c5e816ddc7',
  'public/pictures/hero-phone.webp':
    '7eae09ddf4ddeae640c6c6a7b844ebf41d9e06e3c84956989435db1bf9707ef7',
  'public/pictures/hero.webp': '67b717892ccd61061a4825ccee60eb409ea250fb82857e8cba84c32ec3c1c008',
};

/** The demo shop of the engine itself: nobody sells under this address. */
export const isDemoShop = ({ supportEmail }: { supportEmail: string }): boolean =>
  supportEmail === 'care@kasavu.example';

/** What customers would read in a shop that is not finished, a sentence each with its file: 'texts/home.yaml, line 18: "…" is …'. */
export function placeholdersIn(folder: string): string[] {
  const texts = globSync(['*.ts', 'texts/*.{ts,yaml,md}'], { cwd: folder }).sort();
  return texts.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        placeholder.test(line) && !comment.test(line)
          ? [
              `${file}, line ${String(index + 1)}: "${line.trim()}" is a placeholder. Write your own.`,
            ]
          : [],
      ),
  );
}

/** The images that are still the demo shop's, a sentence each. A build does not refuse them: they show jewellery, and may be wanted. */
export function demoImagesIn(folder: string): string[] {
  return Object.entries(demoImages).flatMap(([file, hash]) => {
    const path = join(folder, file);
    return existsSync(path) &&
      createHash('sha256').update(readFileSync(path)).digest('hex') === hash
      ? [`${file}: the image is the demo shop's. Put your own there.`]
      : [];
  });
}

/** One line about the placeholders of a shop in the making; null when there are none, and for the demo shop, which has nothing else. */
export function placeholderWarning(folder: string, shop: { supportEmail: string }): string | null {
  if (isDemoShop(shop)) return null;
  const [first, ...more] = placeholdersIn(folder);
  if (first === undefined) return null;
  const rest = more.length === 0 ? '' : ` So are ${String(more.length)} others.`;
  return `Not ready for customers: src/shop/${first}${rest} A production build refuses them; npm run doctor names all.`;
}
