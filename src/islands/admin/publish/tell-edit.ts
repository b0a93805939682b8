import { publishApi } from '#domain/admin/publish.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { catalogueEdited, type CatalogueEdit } from '#islands/admin/shared/catalogue-edits.ts';
import { queryClient } from '#islands/admin/shared/fetching/query-client.ts';
import { describeEdit, type EditedProduct } from './publish-labels.ts';
import { publishingKey } from './use-publishing.ts';

interface ToldEdit {
  /**
   * The products as they are stored. Null when it is not known whether they are hidden: the toast then does not say where they are
   * shown.
   */
  products: readonly EditedProduct[] | null;
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
  { products, edit = null, notes = [] }: ToldEdit,
): Promise<void> {
  catalogueEdited(edit);
  const seen = await queryClient
    .query({
      queryKey: publishingKey,
      queryFn: ({ signal }) => callAdmin(publishApi.read, { signal }),
    })
    .then((state) => (products === null ? '' : describeEdit(state, products)))
    .catch(() => '');
  showToast(title, {
    description: [...notes, seen].filter((sentence) => sentence !== '').join(' '),
    tone: 'success',
    durationMs: 8_000,
  });
}
