import * as z from 'zod/mini';
import { adminProductSchema } from '#domain/admin/products/product-input.ts';
import { forEachAttribute } from '#domain/catalogue/attributes.ts';
import * as v from '#domain/validate.ts';
import { storedJson } from '#services/storage/stored-json.ts';

const formSchema = z.object({
  name: z.string(),
  price: z.string(),
  offerPrice: z.string(),
  category: z.string(),
  description: z.string(),
  stock: z.string(),
  sizes: z._default(z.array(z.object({ size: z.string(), stock: z.string() })), []),
  hidden: z.boolean(),
  images: z.array(z.string()),
  imageAlts: z.array(z.string()),
  // A draft from before an attribute was added has none.
  ...forEachAttribute(() => z._default(z.string(), '')),
});
const draftSchema = z.object({
  /** The product's id; a new one's was made with the form, so that saving twice makes one product. */
  id: z.string(),
  /** The product as the form was opened; null for a new one. */
  base: z.nullable(adminProductSchema),
  form: formSchema,
  savedAt: z.string(),
});
/** Unsaved edits of the admin. */
export type ProductDraft = z.infer<typeof draftSchema>;

// Without storage, the form's values last until a reload.
const stored = storedJson<unknown[]>(
  'local',
  'kasavu:admin-drafts',
  v.array((entry) => entry),
);

/** The drafts of this browser, newest first. What cannot be read is left out. */
export function readDrafts(): ProductDraft[] {
  return (stored.read() ?? []).flatMap((entry) => {
    const parsed = draftSchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

const writeDrafts = (drafts: readonly ProductDraft[]): void => {
  stored.write(drafts.slice(0, 20));
};

let isWatching = false;
/** Asks before the page is left with drafts that the browser does not store. */
function watchLeaving(): void {
  if (isWatching) return;
  isWatching = true;
  window.addEventListener('beforeunload', (event) => {
    if (!stored.outlivesPage() && readDrafts().length > 0) event.preventDefault();
  });
}

export function saveProductDraft(draft: ProductDraft): void {
  writeDrafts([draft, ...readDrafts().filter(({ id }) => id !== draft.id)]);
  if (!stored.outlivesPage()) watchLeaving();
}

export function forgetProductDraft(draftId: string): void {
  writeDrafts(readDrafts().filter(({ id }) => id !== draftId));
}
