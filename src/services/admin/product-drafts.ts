import * as z from 'zod/mini';
import { adminProductSchema } from '../../domain/admin/product-input.ts';

const storageKey = 'kasavu:admin-drafts';

const formSchema = z.object({
  ...{ name: z.string(), price: z.string(), offerPrice: z.string(), category: z.string(), description: z.string() },
  ...{ stock: z.string(), metal: z.string(), plating: z.string(), stone: z.string(), weight: z.string() },
  ...{ size: z.string(), care: z.string(), origin: z.string(), hsn: z.string() },
  ...{ images: z.array(z.string()), imageAlts: z.array(z.string()) },
});
const draftSchema = z.object({
  /** The product's id; a new one's was made with the form, so that saving twice makes one product. */
  id: z.string(),
  /** The product as the form was opened; null for a new one. */
  base: z.nullable(adminProductSchema),
  form: formSchema,
  savedAt: z.string(),
});
/** What the admin typed and has not saved. */
export type ProductDraft = z.infer<typeof draftSchema>;

/** The drafts of this browser, newest first. What cannot be read is left out. */
export function readDrafts(): ProductDraft[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((entry) => {
      const parsed = draftSchema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
  } catch {
    return [];
  }
}

function writeDrafts(drafts: readonly ProductDraft[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(drafts.slice(0, 20)));
  } catch {
    // The form itself still has it; only a reload would lose it.
  }
}

export function saveProductDraft(draft: ProductDraft): void {
  writeDrafts([draft, ...readDrafts().filter(({ id }) => id !== draft.id)]);
}

export function forgetProductDraft(draftId: string): void {
  writeDrafts(readDrafts().filter(({ id }) => id !== draftId));
}
