import { featuredApi } from '#domain/admin/products/products-api.ts';
import type { FeaturedProduct } from '#domain/admin/products/product-input.ts';
import { shop } from '#settings/shop.ts';
import { OrderedProducts } from '#islands/admin/shared/fields/OrderedProducts.tsx';
import { RemotePanel } from '#islands/admin/shared/RemotePanel.tsx';
import { featuredQuery, useFeatured } from './use-featured.ts';

/** Which products the home page shows, in their order, folded until wanted. The stars of the list choose them. */
export function FeaturedProducts() {
  return (
    <RemotePanel
      title="Home page"
      className="border-t"
      failed="Failed to fetch the home page"
      endpoint={featuredApi.read}
      queryKey={featuredQuery.queryKey}
      summary={({ featured }) =>
        featured.length === 0
          ? 'shows the newest products'
          : `${String(featured.length)} of ${String(shop.limits.featured)} chosen`
      }
    >
      {({ featured }) => <Chosen products={featured} />}
    </RemotePanel>
  );
}

function Chosen({ products }: { products: readonly FeaturedProduct[] }) {
  const featured = useFeatured();
  return (
    <>
      <OrderedProducts
        label="Home page, in this order"
        products={products}
        busy={featured.busy}
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
        {products.length < shop.limits.featured
          ? 'Press the star of a product in the list to choose it; the newest fill the places left. '
          : ''}
        Customers see it once the pages are published.
      </p>
    </>
  );
}
