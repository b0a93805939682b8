import { attributeOf } from '#domain/catalogue/attributes.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { categoryOptions } from '#islands/admin/products/category-options.ts';
import { productCount } from '#domain/admin/products/product-form.ts';
import { SelectField } from '#islands/admin/shared/fields/SelectField.tsx';
import { Field } from '#islands/shared/Field.tsx';
import type { Import } from './import-state.ts';

type Choosing = Pick<
  Import,
  | 'categories'
  | 'choices'
  | 'setChoices'
  | 'uncounted'
  | 'plan'
  | 'splittable'
  | 'isSplit'
  | 'setSplit'
  | 'currencies'
  | 'pathImages'
>;

const leave = ['leave', 'Leave these out'] as const;

/** What only the admin knows of a file from elsewhere: where its categories belong, how many units there are, which size they are, what a dollar is. */
export function ImportChoices(work: Choosing) {
  const { categories: unknown, choices, setChoices, uncounted, plan } = work;
  const chosen = (name: string): string => {
    const category = choices.categories.get(name);
    return category === null ? leave[0] : (category ?? '');
  };
  const choose = (...answers: readonly (readonly [name: string, category: string | null])[]) => {
    const next = new Map([...choices.categories, ...answers]);
    for (const [name, category] of answers) if (category === '') next.delete(name);
    setChoices({ ...choices, categories: next });
  };
  const guesses = unknown.flatMap(({ name, guess }) =>
    guess === null || choices.categories.has(name) ? [] : [[name, guess] as const],
  );
  return (
    <>
      <SplitChoice {...work} />
      {work.currencies.map((currency) => (
        <Field
          key={currency}
          label={`Rupees for 1 ${currency}`}
          name={`rate-${currency}`}
          inputMode="decimal"
          hint={`The file has prices in ${currency}. They are turned into whole rupees; 0 leaves their products out.`}
          value={choices.rates.get(currency) ?? ''}
          onValue={(rate) => {
            setChoices({ ...choices, rates: new Map([...choices.rates, [currency, rate]]) });
          }}
        />
      ))}
      <ImagePlace {...work} />
      {unknown.length === 0 ? null : (
        <fieldset className="grid gap-2">
          <legend className="font-medium">Where do these belong?</legend>
          {guesses.length === 0 ? null : (
            <p className="text-sm/relaxed">
              Some products say no category, and their names may mislead: a toe ring may be no ring.{' '}
              <button
                type="button"
                className="btn btn-secondary btn-small"
                onClick={() => {
                  choose(...guesses);
                }}
              >
                Take the {guesses.length === 1 ? 'guess' : `${String(guesses.length)} guesses`}
              </button>
            </p>
          )}
          {unknown.map(({ name, count, guess }) => (
            <SelectField
              key={name}
              label={`${name === '' ? 'No category' : name}: ${productCount(count)}${guess === null ? '' : `, perhaps ${categoryLabel(guess)}`}`}
              value={chosen(name)}
              options={[['', 'Choose…'], ...categoryOptions, leave]}
              onValue={(value) => {
                choose([name, value === leave[0] ? null : value]);
              }}
            />
          ))}
        </fieldset>
      )}
      {uncounted === 0 ? null : (
        <Field
          label={`Units of each product or size that the file does not count (${productCount(uncounted)})`}
          name="uncounted-units"
          inputMode="numeric"
          value={choices.uncountedUnits}
          onValue={(uncountedUnits) => {
            setChoices({ ...choices, uncountedUnits });
          }}
        />
      )}
      {[...(plan?.unsized ?? [])].map(([category, count]) => (
        <Field
          key={category}
          label={`${categoryLabel(category)} that say no size: ${productCount(count)}. Which size are they?`}
          name={`size-${category}`}
          autoComplete="off"
          hint={attributeOf('size').hint ?? ''}
          value={choices.sizes.get(category) ?? ''}
          onValue={(size) => {
            setChoices({ ...choices, sizes: new Map([...choices.sizes, [category, size]]) });
          }}
        />
      ))}
    </>
  );
}

/** The way for products with a price for each size: a product for each price. */
function SplitChoice({ splittable, isSplit, setSplit }: Choosing) {
  const [first] = splittable;
  if (first === undefined && !isSplit) return null;
  return (
    <label className="flex min-h-11 items-start gap-2 py-2.5">
      <input
        type="checkbox"
        className="mt-1"
        checked={isSplit}
        onChange={({ currentTarget }) => {
          setSplit(currentTarget.checked);
        }}
      />
      <span>
        Make several products of each that has several prices or too many sizes
        {first === undefined
          ? ''
          : ` (${productCount(splittable.length)}, such as “${first.name}”)`}
        : one for each choice that decides the price.
      </span>
    </label>
  );
}

const imageWays = [
  ['', 'Choose…'],
  ['site', 'Fetch them from my old shop'],
  ['leave', 'Bring the products over without them'],
] as const;

/** Where the images are that a file names by a path alone. */
function ImagePlace({ pathImages, choices, setChoices }: Choosing) {
  if (pathImages === 0) return null;
  const { imagesFrom } = choices;
  const way = imagesFrom === null ? '' : imagesFrom === '' ? 'leave' : 'site';
  return (
    <fieldset className="grid gap-2">
      <legend className="font-medium">
        The file does not say where its pictures are ({productCount(pathImages)})
      </legend>
      <SelectField
        label="Pictures"
        value={way}
        options={imageWays}
        onValue={(value) => {
          setChoices({
            ...choices,
            imagesFrom: value === 'site' ? 'https://' : value === 'leave' ? '' : null,
          });
        }}
      />
      {way === 'site' ? (
        <Field
          label="Address of the pictures’ folder"
          name="images-from"
          hint="Of Magento: https://your-old-shop.example/media/catalog/product"
          value={imagesFrom ?? ''}
          onValue={(address) => {
            setChoices({ ...choices, imagesFrom: address });
          }}
        />
      ) : null}
    </fieldset>
  );
}
