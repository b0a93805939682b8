import { useRef, useState } from 'react';
import {
  occasionInputSchema,
  type AdminOccasion,
  type OccasionInput,
  type OccasionProduct,
} from '../../../domain/admin/occasion-input.ts';
import { occasionProducts } from '../../../domain/catalogue/occasion.ts';
import { parseForm, type FieldErrors } from '../../../domain/checkout/forms.ts';
import { isoDateInIndia } from '../../../domain/india-month.ts';
import { saveOccasion } from '../../../services/admin/catalogue/occasion.ts';
import { catalogueEdited } from '../../../stores/admin-catalogue.ts';
import { showToast } from '../../../stores/toasts.ts';
import { Field } from '../../shared/Field.tsx';
import { focusFirstError } from '../../shared/focus-field.ts';
import { ActionError } from '../shared/ActionError.tsx';
import { OrderedProducts } from '../shared/OrderedProducts.tsx';
import { ProductSearch } from '../shared/ProductSearch.tsx';
import { useAction } from '../shared/use-action.ts';

const fields = ['heading', 'sentence', 'first_day', 'last_day', 'products'];
const notShown = ({ hidden, stock }: OccasionProduct): string =>
  hidden ? 'Hidden: not shown' : stock === 0 ? 'Out of stock: not shown' : '';

/** The products with one moved by a place. */
function moved(products: readonly OccasionProduct[], id: string, up: boolean): OccasionProduct[] {
  const from = products.findIndex((product) => product.id === id);
  const to = from + (up ? -1 : 1);
  const [one, other] = [products[from], products[to]];
  return one && other ? products.with(from, other).with(to, one) : [...products];
}

interface OccasionFormProps {
  occasion: AdminOccasion;
  onSaved: (saved: { occasion: AdminOccasion }) => void;
}

/** Writes the occasion, or takes it away. */
export function OccasionForm({ occasion, onSaved }: OccasionFormProps) {
  const [today] = useState(() => isoDateInIndia(new Date().toISOString()));
  const [typed, setTyped] = useState({
    heading: occasion?.heading ?? '',
    sentence: occasion?.sentence ?? '',
    first_day: occasion?.first_day ?? today,
    last_day: occasion?.last_day ?? '',
    products: occasion?.products ?? [],
  });
  const [errors, setErrors] = useState<FieldErrors<OccasionInput>>({});
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const { products } = typed;
  const change = (values: Partial<typeof typed>) => {
    setTyped((before) => ({ ...before, ...values }));
    setErrors({});
  };
  const save = (next: OccasionInput | null, done: string) =>
    void action.run('Not saved', async () => {
      onSaved(await saveOccasion(next));
      showToast(done, {
        description: 'Shoppers see it once the pages are published.',
        tone: 'success',
      });
      catalogueEdited();
    });
  const submit = () => {
    const parsed = parseForm(occasionInputSchema, {
      ...typed,
      products: products.map(({ id }) => id),
    });
    if (parsed.ok) save(parsed.values, 'Occasion saved');
    else {
      setErrors(parsed.errors);
      focusFirstError(form.current, fields, parsed.errors);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      className="mt-2 grid max-w-2xl gap-5"
      aria-label="Occasion"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        name="heading"
        label="Heading"
        hint="Such as “For Onam”"
        value={typed.heading}
        error={errors.heading}
        onValue={(heading) => change({ heading })}
      />
      <Field
        name="sentence"
        label="One sentence below it"
        rows={3}
        value={typed.sentence}
        error={errors.sentence}
        onValue={(sentence) => change({ sentence })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          name="first_day"
          label="First day"
          type="date"
          value={typed.first_day}
          error={errors.first_day}
          onValue={(first_day) => change({ first_day })}
        />
        <Field
          name="last_day"
          label="Last day"
          type="date"
          min={today}
          value={typed.last_day}
          error={errors.last_day}
          onValue={(last_day) => change({ last_day })}
        />
      </div>
      <div className="grid gap-3">
        <ProductSearch
          name="products"
          label={`Find products: ${String(occasionProducts.min)} to ${String(occasionProducts.max)}`}
          error={errors.products}
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
      <ActionError error={action.error} />
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
