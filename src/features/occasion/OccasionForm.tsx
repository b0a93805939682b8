import { useState } from 'react';
import {
  occasionApi,
  occasionInputSchema,
  type AdminOccasion,
  type OccasionInput,
  type OccasionProduct,
} from './domain/occasion-api.ts';
import { occasionProducts } from './domain/occasion.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { callAdmin } from '#services/admin/api.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { OrderedProducts } from '#islands/admin/shared/fields/OrderedProducts.tsx';
import { catalogueEdited } from '#islands/admin/shared/catalogue-edits.ts';
import { ProductSearch } from '#islands/admin/shared/fields/ProductSearch.tsx';
import type { Action } from '#islands/admin/shared/use-action.ts';

const notShown = ({ hidden, stock }: OccasionProduct): string =>
  hidden ? 'Hidden: not shown' : stock === 0 ? 'Out of stock: not shown' : '';

/** The products with one moved by a place. */
function moved(products: readonly OccasionProduct[], id: string, up: boolean): OccasionProduct[] {
  const from = products.findIndex((product) => product.id === id);
  const to = from + (up ? -1 : 1);
  const found = [...products];
  const [one, other] = [found[from], found[to]];
  if (one && other) [found[from], found[to]] = [other, one];
  return found;
}

interface OccasionFormProps {
  occasion: AdminOccasion;
  action: Action;
  onSaved: (saved: { occasion: AdminOccasion }) => void;
}

/** Writes the occasion, or takes it away. */
export function OccasionForm({ occasion, action, onSaved }: OccasionFormProps) {
  const [today] = useState(() => isoDateInIndia(new Date().toISOString()));
  const { values, errors, ref, bind, change, accept, submit } = useForm(() => ({
    heading: occasion?.heading ?? '',
    sentence: occasion?.sentence ?? '',
    first_day: occasion?.first_day ?? today,
    last_day: occasion?.last_day ?? '',
    products: occasion?.products ?? [],
  }));
  const { products } = values;
  const save = (next: OccasionInput | null, done: string) =>
    void action.run('Not saved', async () => {
      onSaved(
        await (next === null
          ? callAdmin(occasionApi.remove, { body: {} })
          : callAdmin(occasionApi.save, { body: next })),
      );
      showToast(done, {
        description: 'Customers see it once the pages are published.',
        tone: 'success',
      });
      catalogueEdited();
    });
  const send = () => {
    const accepted = accept(
      parseForm(occasionInputSchema, { ...values, products: products.map(({ id }) => id) }),
    );
    if (accepted) save(accepted, 'Occasion saved');
  };

  return (
    <form
      ref={ref}
      noValidate
      className="mt-2 grid max-w-2xl gap-5"
      aria-label="Occasion"
      onSubmit={(event) => void submit(event, send)}
    >
      <Field {...bind('heading')} label="Heading" hint="Such as “For Onam”" />
      <Field {...bind('sentence')} label="One sentence below it" rows={3} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...bind('first_day')} label="First day" type="date" />
        <Field {...bind('last_day')} label="Last day" type="date" min={today} />
      </div>
      <div className="grid gap-3">
        <ProductSearch
          name="products"
          label={`Find products: ${String(occasionProducts.min)} to ${String(occasionProducts.max)}`}
          error={errors['products']}
          actions={({ id, name, hidden, images, stock }) => {
            const isChosen = products.some((product) => product.id === id);
            return (
              <button
                type="button"
                className="btn btn-secondary btn-small flex-none"
                disabled={isChosen || products.length >= occasionProducts.max}
                onClick={() => {
                  const image = images[0] ?? null;
                  change({ products: [...products, { id, name, hidden, image, stock }] });
                }}
              >
                {isChosen ? 'Added' : 'Add'}
                <span className="visually-hidden"> {name}</span>
              </button>
            );
          }}
        />
        <OrderedProducts
          label="Products of the occasion, in this order"
          products={products}
          busy={action.busy}
          note={notShown}
          onMove={(id, up) => change({ products: moved(products, id, up) })}
          remove={{ icon: 'bin', label: (name) => `Take ${name} out` }}
          onRemove={(gone) => change({ products: products.filter((one) => one !== gone) })}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn btn-primary" aria-busy={action.busy}>
          {action.busy ? 'Saving…' : 'Save occasion'}
        </button>
        {occasion === null ? null : (
          <button
            type="button"
            className="btn btn-secondary"
            onClick={() => save(null, 'Occasion removed')}
          >
            Take it away
          </button>
        )}
      </div>
    </form>
  );
}
