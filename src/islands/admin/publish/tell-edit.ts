import type { AdminProduct } from '../../../domain/admin/products/product-input.ts';
import { publishApi } from '../../../domain/admin/publish.ts';
import { callAdmin } from '../../../services/admin/api.ts';
import { showToast } from '../../../stores/toasts.ts';
import { catalogueEdited, type CatalogueEdit } from '../shared/catalogue-edits.ts';
import { queryClient } from '../shared/fetching/query-client.ts';
import { describeEdit } from './publish-labels.ts';
import { publishingKey } from './use-publishing.ts';

interface ToldEdit {
  /** The product as it is stored; null for several. */
  product: Pick<AdminProduct, 'id' | 'hidden'> | null;
  edit?: CatalogueEdit | null;
  /** Sentences that come first. */
  notes?: readonly string[];
}

/**
 * Call after every saved change of what customers see: the rows show it at once, and a message says where customers see it now, and when
 * everywhere. Without the state of publishing it says the rest. Never throws.
 */
export async function tellEdit(
  title: string,
  { product, edit = null, notes = [] }: ToldEdit,
): Promise<void> {
  catalogueEdited(edit);
  const seen = await queryClient
    .query({
      queryKey: publishingKey,
      queryFn: ({ signal }) => callAdmin(publishApi.read, { signal }),
    })
    .then((state) => describeEdit(state, product))
    .catch(() => '');
  showToast(title, {
    description: [...notes, seen].filter((sentence) => sentence !== '').join(' '),
    tone: 'success',
    durationMs: 8_000,
  });
}
