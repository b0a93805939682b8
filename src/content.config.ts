import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCollection } from 'astro/content/config';
import { glob, type Loader } from 'astro/loaders';
import * as z from 'astro/zod';

/* The files of src/shop/texts and what each has to say (docs/texts.md). Astro reads a file again when it or this one has changed. */
const folder = 'src/shop/texts';

const text = z
  .string('write a text; put one that is a number in quotes')
  .trim()
  .min(1, 'write a text');
const titled = { title: text, text };
const icons = ['sparkle', 'shield', 'truck', 'parcel', 'heart', 'chat'] as const;

/** These fields and no others. */
function fields<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `no page shows "${issue.keys.join('", "')}": remove it`
        : `give ${Object.keys(shape)
            .filter((key) => shape[key]?._zod.optin === undefined)
            .join(', ')}`,
  });
}

/** A list of `count` entries; without `count` of one at least. `rule` says it to the owner. */
function list<T extends z.ZodType>(entry: T, rule: string, count?: number): z.ZodArray<T> {
  const all = z.array(entry, rule);
  return count === undefined ? all.min(1, rule) : all.length(count, rule);
}

/** 'reasons, entry 2, icon: choose one of …' */
function describe({ path, message }: z.core.$ZodIssue): string {
  const names = path.map((part) =>
    typeof part === 'number' ? `entry ${String(part + 1)}` : String(part),
  );
  return [names.join(', '), message].filter((part) => part !== '').join(': ');
}

/** The place where Astro could not read a file; it reports the line beside a message for programmers. */
const unreadableSchema = z.object({
  message: z.string(),
  loc: z.object({ line: z.number().optional() }),
});

/** The loader of one file. A file that is no YAML is told with its line. */
function readOne(name: string): Loader {
  const loader = glob({ base: folder, pattern: name });
  return {
    ...loader,
    load: async (context) => {
      try {
        await loader.load(context);
      } catch (error) {
        const unreadable = unreadableSchema.safeParse(error).data;
        if (unreadable === undefined) throw error;
        const { message, loc } = unreadable;
        const line = loc.line === undefined ? '' : `, line ${String(loc.line)}`;
        throw new Error(
          `${folder}/${name}${line}: this cannot be read. Put a text with a colon or with {{ under >-, as the others are (${message}).`,
        );
      }
    },
  };
}

/** One file of texts, an entry of its own. The errors of a build name the file, the field and what to do. */
function textFile<T>(name: string, schema: z.ZodType<T>) {
  return defineCollection({
    loader: readOne(name),
    schema: z.unknown().transform((data): T => {
      const read = schema.safeParse(data);
      if (read.success) return read.data;
      throw new Error(
        read.error.issues.map((issue) => `${folder}/${name}: ${describe(issue)}`).join('\n'),
      );
    }),
  });
}

const photograph = fields({
  picture: z
    .string()
    .regex(/^\/pictures\/[\w.-]+$/u, 'begin with /pictures/, as in /pictures/bench.webp')
    .refine((path) => existsSync(join('src/shop/public', path)), {
      message: 'put this file into src/shop/public/pictures',
    }),
  alt: text,
});
const policy = (name: string) => textFile(`${name}.md`, fields({ description: text }));

export const collections = {
  home: textFile(
    'home.yaml',
    fields({
      hero: fields({
        heading: list(text, 'give its lines, one or more'),
        lead: text,
        pictureAlt: text,
      }),
      story: fields({ heading: text, text, link: text }),
      maker: fields({
        heading: text,
        text,
        face: photograph.exactOptional(),
        bench: photograph.exactOptional(),
      }).exactOptional(),
      reasons: list(
        fields({ icon: z.enum(icons, `choose one of ${icons.join(', ')}`), ...titled }),
        'give three, each with icon, title and text',
        3,
      ),
    }),
  ),
  about: textFile(
    'about.yaml',
    fields({
      description: text,
      eyebrow: text,
      pictureAlt: text,
      story: list(text, 'give paragraphs, one or more'),
      legacy: list(text, 'give paragraphs, one or more'),
      values: list(fields(titled), 'give one or more, each with title and text'),
      brings: list(text, 'give one or more'),
      founder: text,
    }),
  ),
  contact: textFile(
    'contact.yaml',
    fields({
      lead: text,
      questions: list(
        fields({
          question: text,
          answer: text,
          more: z
            .strictObject({
              path: z.string().startsWith('/', 'begin with /, as in /returns'),
              text,
            })
            .exactOptional(),
        }),
        'give one or more, each with question and answer',
      ),
    }),
  ),
  shop: textFile(
    'shop.yaml',
    z.record(z.string(), text, 'give a line for all and for each category'),
  ),
  privacy: policy('privacy'),
  returns: policy('returns'),
  terms: policy('terms'),
  'shipping-policy': policy('shipping-policy'),
};
