import { readDrafts } from '#services/admin/catalogue/product-drafts.ts';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { catalogueKey } from '#islands/admin/shared/catalogue-edits.ts';
import type { ProductOpening } from './product-model.ts';

interface DraftNotesProps {
  /** Drafts change while the form is open; they are read again when it closes. */
  formOpen: boolean;
  onOpen: (opening: ProductOpening) => void;
}

/** Forms that were left with something typed in them, and the way back into each. */
export function DraftNotes({ formOpen, onOpen }: DraftNotesProps) {
  const { data: drafts } = useFetched({
    queryKey: [...catalogueKey, 'drafts', formOpen],
    queryFn: () => (formOpen ? [] : readDrafts()),
    gcTime: 0,
  });
  if (drafts === null || drafts.length === 0) return null;
  return (
    <ul className="notice mt-4 grid gap-2" aria-label="Unsaved drafts">
      {drafts.map(({ id, base, form }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <span>
            Not saved yet: <b>{form.name || base?.name || 'a new product'}</b>
          </span>
          <button
            type="button"
            className="btn btn-secondary min-h-11 px-[1.125rem]"
            onClick={() => onOpen({ product: base, draftId: id })}
          >
            Continue
            <span className="visually-hidden">
              {' '}
              with {form.name || base?.name || 'the new product'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
