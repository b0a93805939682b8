import { attributeKeys, attributeOf } from '#domain/catalogue/attributes.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { imageAddress, placeholderImage } from '#domain/image.ts';
import { formatRupees } from '#domain/money.ts';
import * as environment from '#services/environment.ts';
import type { PlannedProduct } from './domain/plan-row.ts';

interface ImportPreviewProps {
  planned: readonly PlannedProduct[];
  /** What a page can show for an image's entry. */
  addressOf: (entry: string) => string;
}

const shown = 4;

/** The first products of an import as customers would see them. */
export function ImportPreview({ planned, addressOf }: ImportPreviewProps) {
  if (planned.length === 0) return null;
  return (
    <section aria-label="As customers would see it">
      <h3 className="text-base font-medium">As customers would see it</h3>
      <ul className="mt-2 grid gap-3 sm:grid-cols-2">
        {planned.slice(0, shown).map(({ id, product }) => (
          <li key={id} className="grid grid-cols-[6rem_minmax(0,1fr)] gap-3 text-sm/relaxed">
            <PreviewImage address={product.images[0] && addressOf(product.images[0])} />
            <div className="wrap-anywhere">
              <p className="font-medium">{product.name}</p>
              <p>
                {formatRupees(product.offerPrice ?? product.price)}{' '}
                {product.offerPrice === null ? null : (
                  <del className="text-ink-500">{formatRupees(product.price)}</del>
                )}
              </p>
              <p className="text-ink-500">
                {[
                  categoryLabel(product.category),
                  (product.sizes ?? []).length > 0
                    ? (product.sizes ?? [])
                        .map(({ size, stock }) => `${size}: ${String(stock)}`)
                        .join(', ')
                    : `${String(product.stock)} ${product.stock === 1 ? 'unit' : 'units'}`,
                  ...(product.hidden ? ['hidden'] : []),
                ].join(' · ')}
              </p>
              <p className="line-clamp-4 whitespace-pre-line text-ink-500">{product.description}</p>
              <p className="text-ink-500">
                {attributeKeys
                  .flatMap((key) => {
                    const value = product.attributes[key];
                    return value === undefined ? [] : `${attributeOf(key).label}: ${String(value)}`;
                  })
                  .join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PreviewImage({ address }: { address: string | undefined }) {
  return (
    <img
      src={
        address?.startsWith('blob:') === true
          ? address
          : imageAddress(address, environment.supabaseUrl)
      }
      alt=""
      loading="lazy"
      onError={({ currentTarget }) => {
        if (!currentTarget.src.endsWith(placeholderImage)) currentTarget.src = placeholderImage;
      }}
      referrerPolicy="no-referrer"
      className="aspect-square w-full bg-tile object-cover"
    />
  );
}
