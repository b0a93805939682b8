import { atom, type ReadableAtom } from 'nanostores';
import { sameForm } from '#domain/admin/products/same-form.ts';
import {
  copyOfProduct,
  emptyProductForm,
  formOfProduct,
  type ProductForm,
} from '#domain/admin/products/product-form.ts';
import type { AdminProduct } from '#domain/admin/products/product-input.ts';
import {
  forgetProductDraft,
  saveProductDraft,
  readDrafts,
  type ProductDraft,
} from '#services/admin/catalogue/product-drafts.ts';
import { createImages, type Images } from '#islands/admin/products/images/images.ts';

export type TextField = Exclude<keyof ProductForm, 'hidden' | 'sizes' | 'images' | 'imageAlts'>;
/** The props of a field's input. */
export type BindField = (field: TextField) => {
  name: TextField;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
};

/** One open product form: its values, stored in local storage as they are typed. */
export interface ProductModel {
  $texts: ReadableAtom<ProductForm>;
  images: Images;
  id: () => string;
  /** The product as the form was opened (or last compared); null for a new one. */
  base: () => AdminProduct | null;
  /** When the restored draft was stored; null when the form began with the product. */
  restoredFrom: string | null;
  /** Just made from another product. */
  isCopy: boolean;
  type: (field: TextField, text: string) => void;
  hide: (hidden: boolean) => void;
  setSizes: (sizes: ProductForm['sizes']) => void;
  form: () => ProductForm;
  dirty: () => boolean;
  /** Goes on from what is stored now, with these values. */
  rebase: (base: AdminProduct, form: ProductForm) => void;
  /** The product is gone from the server: the next save adds it anew. */
  becomeNew: () => void;
  /** Saved, or given up: the draft is not needed any more. */
  forget: () => void;
  /** Keeps the draft as images change; returns a function that ends it. */
  watch: () => () => void;
}

/** The subject of a form: a product (null: a new one), or the draft of a new one, of which there may be several. */
export interface ProductOpening {
  product: AdminProduct | null;
  draftId?: string;
  /** A new product with the values of this one. */
  copy?: boolean;
}

/** The model of a form, with what was typed and not saved when there is any. */
export function createProductModel({ product, draftId, copy }: ProductOpening): ProductModel {
  if (product && copy === true) return createProductCopy(product);
  const id = draftId ?? product?.id;
  return createModel(
    product,
    readDrafts().find((kept) => (id === undefined ? kept.base === null : kept.id === id)),
  );
}

/** The model of a new product with the values of this one, which it stores as a draft at once. */
export function createProductCopy(product: AdminProduct): ProductModel {
  const draft = {
    id: crypto.randomUUID(),
    base: null,
    form: copyOfProduct(product),
    savedAt: new Date().toISOString(),
  };
  saveProductDraft(draft);
  return { ...createModel(null, draft), restoredFrom: null, isCopy: true };
}

function createModel(product: AdminProduct | null, draft: ProductDraft | undefined): ProductModel {
  let base = draft ? draft.base : product;
  let id = draft?.id ?? product?.id ?? crypto.randomUUID();
  let closed = false;
  const start = draft?.form ?? (product ? formOfProduct(product) : emptyProductForm);
  const $texts = atom<ProductForm>(start);
  const images = createImages(start.images, start.imageAlts);

  const form = (): ProductForm => {
    const kept = images.$slots.get().filter(({ entry }) => entry !== '');
    return {
      ...$texts.get(),
      images: kept.map(({ entry }) => entry),
      imageAlts: kept.map(({ alt }) => alt),
    };
  };
  const dirty = () => !sameForm(form(), base ? formOfProduct(base) : emptyProductForm);
  const keep = () => {
    if (closed) return;
    if (dirty()) saveProductDraft({ id, base, form: form(), savedAt: new Date().toISOString() });
    else forgetProductDraft(id);
  };

  return {
    $texts,
    images,
    id: () => id,
    base: () => base,
    restoredFrom: draft?.savedAt ?? null,
    isCopy: false,
    type: (field, text) => {
      $texts.set({ ...$texts.get(), [field]: text });
      keep();
    },
    hide: (hidden) => {
      $texts.set({ ...$texts.get(), hidden });
      keep();
    },
    setSizes: (sizes) => {
      $texts.set({ ...$texts.get(), sizes });
      keep();
    },
    form,
    dirty,
    rebase: (next, values) => {
      base = next;
      $texts.set(values);
      const now = form();
      if (
        values.images.join('\n') !== now.images.join('\n') ||
        values.imageAlts.join('\n') !== now.imageAlts.join('\n')
      ) {
        images.reset(values.images, values.imageAlts);
      }
      keep();
    },
    becomeNew: () => {
      forgetProductDraft(id);
      base = null;
      id = crypto.randomUUID();
      keep();
    },
    forget: () => {
      closed = true;
      forgetProductDraft(id);
    },
    watch: () => {
      closed = false;
      return images.$slots.listen(keep);
    },
  };
}
