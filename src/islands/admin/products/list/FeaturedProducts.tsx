import { shop } from '../../../../shop.config.ts';
import { ProductPicture } from '../../../shared/ProductPicture.tsx';
import { FoldedPanel } from '../../shared/FoldedPanel.tsx';
import { LoadFailed } from '../../shared/LoadState.tsx';
import { AdminIcon } from '../../shared/AdminIcon.tsx';
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
      <ol className="grid" aria-label="Home page, in this order" aria-busy={busy}>
        {(products ?? []).map(({ id, name, image, hidden }, place) => (
          <li
            key={id}
            className="flex items-center gap-3 border-b border-line py-1.5"
            data-featured={id}
          >
            <ProductPicture entry={image ?? undefined} width={48} className="w-12 flex-none" />
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{name}</span>
              {hidden ? (
                <span className="text-xs/[1.45] text-ink-500">
                  Hidden: its place is filled by the newest
                </span>
              ) : null}
            </span>
            <span className="flex flex-none">
              <OrderButton
                label={`Move ${name} up`}
                icon="up"
                disabled={busy || place === 0}
                onPress={() => featured.move(id, true)}
              />
              <OrderButton
                label={`Move ${name} down`}
                icon="down"
                disabled={busy || place === count - 1}
                onPress={() => featured.move(id, false)}
              />
              <OrderButton
                label={`Take ${name} off the home page`}
                icon="star"
                className="text-gold-700 [&_path]:fill-current"
                disabled={busy}
                onPress={() => featured.toggle({ id, name })}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="field-hint mt-2">
        {count < shop.limits.featured
          ? 'Press the star of a piece in the list to choose it; the newest fill the places left. '
          : ''}
        Shoppers see it once the pages are published.
      </p>
    </FoldedPanel>
  );
}

interface OrderButtonProps {
  label: string;
  icon: 'up' | 'down' | 'star';
  className?: string;
  disabled: boolean;
  onPress: () => void;
}

/** Stays in the order of the keyboard while it can do nothing, so that the focus is not lost. */
function OrderButton({ label, icon, className = '', disabled, onPress }: OrderButtonProps) {
  return (
    <button
      type="button"
      className={`icon-btn aria-disabled:opacity-40 ${className}`}
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      <AdminIcon name={icon} />
    </button>
  );
}
