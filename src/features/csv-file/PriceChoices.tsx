import { formatRupees } from '#domain/money.ts';
import { productCount, productLabels } from '#domain/admin/products/product-form.ts';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { samplesOf, withField } from './ColumnChoices.tsx';
import type { PricedSample } from './domain/price-check.ts';
import type { Import } from './import-state.ts';

type Choosing = Pick<
  Import,
  'table' | 'mapping' | 'setMapping' | 'priceCheck' | 'confirmPrices' | 'currencies'
>;

/** The question about the prices of a list, before anything of it is compared: which columns they are, and what customers would pay. */
export function PriceChoices({
  table,
  mapping,
  setMapping,
  priceCheck,
  confirmPrices,
  currencies,
}: Choosing) {
  if (table === null || priceCheck === null) return null;
  const { price, offer, columns, several, samples, low } = priceCheck;
  const options = columns.map((heading) => {
    const texts = samplesOf(table, heading);
    return [heading, texts === '' ? `${heading} (empty)` : `${heading}: ${texts}`] as const;
  });
  const choose = (field: string) => (heading: string) => {
    setMapping(withField(mapping, field, heading === '' ? undefined : heading));
  };
  const [currency] = currencies;
  const amount = (hundredths: number): string =>
    currency === undefined
      ? formatRupees(hundredths)
      : `${currency} ${(hundredths / 100).toFixed(2)}`;
  const words = ({ price: full, offer: less }: PricedSample): string =>
    less === null ? amount(full) : `${amount(less)} in place of ${amount(full)}`;
  return (
    <section className="notice grid gap-3" aria-label="What customers pay">
      <h4 className="font-medium">Which column is what customers pay?</h4>
      <p>
        {several.length > 0
          ? `More than one could be it: ${several.join(', ')}.`
          : price === undefined
            ? 'No column says so.'
            : 'This is a guess by the names of the columns. Nothing is compared before you have checked it.'}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={productLabels.price}
          value={price ?? ''}
          options={[['', 'Choose…'], ...options]}
          onValue={choose(productLabels.price)}
        />
        <SelectField
          label={productLabels.offerPrice}
          value={offer ?? ''}
          options={[['', 'There is none'], ...options]}
          onValue={choose(productLabels.offerPrice)}
        />
      </div>
      {samples.length === 0 ? null : (
        <ul className="grid gap-1">
          {samples.map((sample, at) => (
            <li key={`${String(at)} ${sample.name}`} className="wrap-anywhere">
              “{sample.name}” would cost <b>{words(sample)}</b>
            </li>
          ))}
        </ul>
      )}
      {low === null ? null : (
        <p className="wrap-anywhere">
          {productCount(low.count)} would be sold for less than a third of the price, such as “
          {low.first.name}”: <b>{words(low.first)}</b>. Is one of the columns what you paid
          yourself?
        </p>
      )}
      {price === undefined ? null : (
        <p>
          <button type="button" className="btn btn-secondary" onClick={confirmPrices}>
            Yes, customers pay this
          </button>
        </p>
      )}
    </section>
  );
}
