import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { AdminIcon, type AdminIconName } from '#islands/admin/shared/AdminIcon.tsx';

interface ListedProduct {
  id: string;
  name: string;
  image: string | null;
}

interface OrderedProductsProps<P extends ListedProduct> {
  /** Name of the list, for screen readers. */
  label: string;
  products: readonly P[];
  busy: boolean;
  /** Why customers do not see a product; blank when they do. */
  note: (product: P) => string;
  /** Moves a product by one place, `up` or down. */
  onMove: (id: string, up: boolean) => void;
  remove: { icon: AdminIconName; className?: string; label: (name: string) => string };
  onRemove: (product: P) => void;
}

/** Products in an order that the admin changes. */
export function OrderedProducts<P extends ListedProduct>({
  label,
  products,
  busy,
  note,
  onMove,
  remove,
  onRemove,
}: OrderedProductsProps<P>) {
  return (
    <ol className="grid" aria-label={label} aria-busy={busy}>
      {products.map((product, place) => {
        const { id, name, image } = product;
        const noted = note(product);
        return (
          <li key={id} className="flex items-center gap-3 border-b border-line py-1.5">
            <ProductImage entry={image ?? undefined} width={48} className="w-12 flex-none" />
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{name}</span>
              {noted === '' ? null : <span className="text-xs/[1.45] text-ink-500">{noted}</span>}
            </span>
            <span className="flex flex-none">
              <OrderButton
                label={`Move ${name} up`}
                icon="up"
                disabled={busy || place === 0}
                onPress={() => onMove(id, true)}
              />
              <OrderButton
                label={`Move ${name} down`}
                icon="down"
                disabled={busy || place === products.length - 1}
                onPress={() => onMove(id, false)}
              />
              <OrderButton
                label={remove.label(name)}
                icon={remove.icon}
                className={remove.className}
                disabled={busy}
                onPress={() => onRemove(product)}
              />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

interface OrderButtonProps {
  label: string;
  icon: AdminIconName;
  className?: string | undefined;
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
