import { shop } from '../../../../settings/shop.ts';
import { FoldedPanel } from '../../shared/FoldedPanel.tsx';
import { LoadFailed } from '../../shared/LoadState.tsx';
import { OrderedProducts } from '../../shared/fields/OrderedProducts.tsx';
import type { Featured } from './use-featured.ts';

/** Which products the home page shows, in their order, folded until wanted. The stars of the list choose them. */
export function FeaturedProducts({ featured }: { featured: Featured }) {
  const { products, busy } = featured;
  const count = products?.length ?? 0;
  return (
    <FoldedPanel
      title="Home page"
      summary={
        count === 0
          ? 'shows the newest products'
          : `${String(count)} of ${String(shop.limits.featured)} chosen`
      }
      className="border-t"
    >
      {featured.error === null ? null : (
        <LoadFailed
          title="Failed to fetch the home page"
          error={featured.error}
          busy={busy}
          onRetry={featured.reload}
        />
      )}
      <OrderedProducts
        label="Home page, in this order"
        products={products ?? []}
        busy={busy}
        note={({ hidden }) => (hidden ? 'Hidden: its place is filled by the newest' : '')}
        onMove={featured.move}
        remove={{
          icon: 'star',
          className: 'text-accent-700 [&_path]:fill-current',
          label: (name) => `Take ${name} off the home page`,
        }}
        onRemove={featured.toggle}
      />
      <p className="field-hint mt-2">
        {count < shop.limits.featured
          ? 'Press the star of a product in the list to choose it; the newest fill the places left. '
          : ''}
        Customers see it once the pages are published.
      </p>
    </FoldedPanel>
  );
}
