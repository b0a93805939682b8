import { useRef, useState } from 'react';
import { deletedDays, type AdminProduct } from '#domain/admin/products/product-input.ts';
import { formatRupees } from '#domain/money.ts';
import { categoryLabel, isOffered } from '#domain/catalogue/category.ts';
import { indiaDay } from '#domain/india-dates.ts';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';
import type { ProductOpening } from '#islands/admin/products/form/product-model.ts';
import { QuickEdit } from './QuickEdit.tsx';
import { RowMenu } from './RowMenu.tsx';
import { RestoreButton } from './RestoreButton.tsx';
import type { Selection } from '#islands/admin/shared/use-selection.ts';
import type { Featured } from '#islands/admin/products/list/use-featured.ts';

interface ProductRowProps {
  product: AdminProduct;
  featured: Featured;
  /** Several are being chosen; null when not. */
  selection: Selection | null;
  onOpen: (opening: ProductOpening) => void;
  onDelete: (product: AdminProduct) => void;
  /** It was brought back, and leaves this list. */
  onRestored: () => void;
}

const lastDay = (deletedAt: string): string =>
  indiaDay(new Date(Date.parse(deletedAt) + deletedDays * 86_400_000).toISOString());

/** One product. The roles are explicit: on a phone the table is drawn as cards, and screen readers still need a table. */
export function ProductRow({
  product,
  featured,
  selection,
  onOpen,
  onDelete,
  onRestored,
}: ProductRowProps) {
  const { id, name, price, offerPrice, hidden, deletedAt } = product;
  const [unfolded, setUnfolded] = useState<'edit' | 'menu' | null>(null);
  const editOpener = useRef<HTMLButtonElement>(null);
  const menuOpener = useRef<HTMLButtonElement>(null);
  const close = () => {
    (unfolded === 'menu' ? menuOpener : editOpener).current?.focus();
    setUnfolded(null);
  };
  return (
    <>
      <tr role="row" className="product-row" data-product={id}>
        <th role="rowheader" scope="row" className="product-cell-name">
          {selection ? (
            <label className="grid size-11 flex-none cursor-pointer place-items-center max-md:bg-paper max-md:absolute max-md:top-3.5 max-md:left-0 max-md:z-10">
              <span className="visually-hidden">Select {name}</span>
              <input
                type="checkbox"
                className="size-[1.375rem] accent-brand-700"
                checked={selection.ids.has(id)}
                onChange={() => selection.toggle(id)}
              />
            </label>
          ) : null}
          <ProductImage
            entry={product.images[0]}
            width={64}
            className="w-16 max-md:absolute max-md:top-3.5 max-md:left-0 max-md:w-[4.75rem]"
          />
          <span className="grid min-w-0">
            {hidden || deletedAt !== null || !isOffered(product) ? (
              <span className="font-display text-base/[1.3]">{name}</span>
            ) : (
              <a
                href={`/product/${encodeURIComponent(id)}`}
                className="flex min-h-11 items-center font-display text-base/[1.3] decoration-accent-500 underline-offset-[0.25em] hover:underline"
              >
                {name}
              </a>
            )}
            <span className="truncate text-ink-500">
              {product.description || 'No description yet'}
            </span>
            {hidden && deletedAt === null ? (
              <span className="text-xs/[1.45] font-medium text-ink-700">Hidden from the shop</span>
            ) : null}
            {isOffered(product) || deletedAt !== null ? null : (
              <span className="text-xs/[1.45] text-danger-700">
                Not in the shop: there is no category “{product.category}” any more. Choose another.
              </span>
            )}
            {deletedAt === null ? null : (
              <span className="text-xs/[1.45] text-danger-700">
                Deleted on {indiaDay(deletedAt)}, can be brought back until {lastDay(deletedAt)}
              </span>
            )}
            {product.sizes.length > 0 ? (
              <span className="text-xs/[1.45] text-ink-700">{sizesNote(product.sizes)}</span>
            ) : null}
            {product.unpublished && deletedAt === null ? (
              <span className="text-xs/[1.45] text-accent-700">
                <span
                  className="mr-[0.4375rem] inline-block size-[0.4375rem] rounded-full bg-accent-500"
                  aria-hidden="true"
                />
                To be published
              </span>
            ) : null}
          </span>
        </th>
        <td role="cell" className="product-cell-category">
          {categoryLabel(product.category)}
        </td>
        <td role="cell" className="product-cell-price">
          <span className="price">
            <span>
              {offerPrice === null ? null : <span className="visually-hidden">Offer </span>}
              {formatRupees(offerPrice ?? price)}
            </span>
            {offerPrice === null ? null : (
              <s className="price-was">
                <span className="visually-hidden">instead of </span>
                {formatRupees(price)}
              </s>
            )}
          </span>
        </td>
        <td role="cell" className="product-cell-stock">
          {deletedAt === null ? (
            <span className="flex flex-wrap items-center gap-x-3">
              <StockBadge stock={product.stock} />
              <button
                type="button"
                ref={editOpener}
                className="min-h-11 cursor-pointer text-left text-xs/[1.45] underline decoration-accent-500 underline-offset-[0.25em]"
                aria-expanded={unfolded === 'edit'}
                onClick={() => setUnfolded(unfolded === 'edit' ? null : 'edit')}
              >
                Change price and stock
                <span className="visually-hidden"> of {name}</span>
              </button>
            </span>
          ) : (
            <StockBadge stock={product.stock} />
          )}
        </td>
        <td role="cell" className="product-cell-actions">
          {deletedAt === null ? (
            <>
              <button
                type="button"
                className={`icon-btn ${featured.has(id) ? 'text-accent-700 [&_path]:fill-current' : ''}`}
                aria-label={`Show ${name} on the home page`}
                aria-pressed={featured.has(id)}
                onClick={() => featured.busy || featured.toggle(product)}
              >
                <AdminIcon name="star" />
              </button>
              <button
                type="button"
                className="icon-btn"
                aria-label={`Edit ${name}`}
                onClick={() => onOpen({ product })}
              >
                <AdminIcon name="pen" />
              </button>
              <button
                type="button"
                className="icon-btn text-danger-700"
                aria-label={`Delete ${name}`}
                onClick={() => onDelete(product)}
              >
                <AdminIcon name="bin" />
              </button>
              <button
                type="button"
                ref={menuOpener}
                className="icon-btn"
                aria-label={`More for ${name}`}
                aria-expanded={unfolded === 'menu'}
                onClick={() => setUnfolded(unfolded === 'menu' ? null : 'menu')}
              >
                <AdminIcon name="more" />
              </button>
            </>
          ) : (
            <RestoreButton product={product} onRestored={onRestored} />
          )}
        </td>
      </tr>
      {unfolded === null ? null : (
        <tr role="row" className="block md:table-row">
          <td role="cell" colSpan={5} className="block border-b border-line md:table-cell">
            {unfolded === 'edit' ? (
              <QuickEdit product={product} onClose={close} onEdit={() => onOpen({ product })} />
            ) : (
              <RowMenu product={product} onClose={close} onOpen={onOpen} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}

/** '4 sizes', and which of them are sold out. */
function sizesNote(sizes: AdminProduct['sizes']): string {
  const out = sizes.filter(({ stock }) => stock === 0).map(({ size }) => size);
  return `${String(sizes.length)} ${sizes.length === 1 ? 'size' : 'sizes'}${out.length === 0 ? '' : `, sold out: ${out.join(', ')}`}`;
}

/** 'N units': green above 10, yellow 1 to 10, red at 0 (spec section 9). */
function StockBadge({ stock }: { stock: number }) {
  const tone = stock > 10 ? 'green' : stock > 0 ? 'yellow' : 'red';
  return <span className={`badge badge-${tone} whitespace-nowrap`}>{stock} units</span>;
}
