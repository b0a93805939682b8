import { chargedPrice } from '#domain/catalogue/product.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { formatRupees } from '#domain/money.ts';
import { Icon } from '#islands/shared/Icon.tsx';
import type { NewOrderDraft } from './use-new-order.ts';

/** The items of the order, with quantities up to the stock. */
export function ChosenProducts({ draft: { values, change } }: { draft: NewOrderDraft }) {
  const { lines } = values;
  if (lines.length === 0) return <p className="text-ink-700">Nothing chosen yet.</p>;
  const set = (key: string, quantity: number) => {
    change({ lines: lines.map((line) => (line.key === key ? { ...line, quantity } : line)) });
  };
  return (
    <ul className="panel grid gap-3" aria-label="Chosen products">
      {lines.map(({ key, product, size, stock, quantity }) => {
        const name = sizedName(product.name, size);
        return (
          <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-0 flex-[1_1_12rem] wrap-anywhere">{name}</span>
            <span className="flex items-center">
              <Step
                label={`Decrease quantity of ${name}`}
                icon="minus"
                off={quantity <= 1}
                onPress={() => set(key, quantity - 1)}
              />
              <span className="min-w-8 text-center" aria-live="polite">
                {quantity}
              </span>
              <Step
                label={`Increase quantity of ${name}`}
                icon="plus"
                off={quantity >= stock}
                onPress={() => set(key, quantity + 1)}
              />
            </span>
            <span className="price">{formatRupees(chargedPrice(product) * quantity)}</span>
            <button
              type="button"
              className="icon-btn"
              aria-label={`Remove ${name}`}
              onClick={() => {
                change({ lines: lines.filter((line) => line.key !== key) });
              }}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Stays in the order of the keyboard while it can do nothing, so that the focus is not lost. */
function Step({
  label,
  icon,
  off,
  onPress,
}: {
  label: string;
  icon: 'minus' | 'plus';
  off: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      className="icon-btn aria-disabled:opacity-40"
      aria-label={label}
      aria-disabled={off}
      onClick={() => !off && onPress()}
    >
      <Icon name={icon} />
    </button>
  );
}
