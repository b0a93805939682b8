import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { reviewsSchema, type OrderReviews, type ReviewedProduct } from './domain/review.ts';
import { ReviewFields, type ReviewImage } from './ReviewFields.tsx';
import { fetchOrderReviews, sendReviewImage, sendReviews } from './send-reviews.ts';
import { reasonOf } from '#services/connection.ts';
import { storedJson } from '#services/storage/stored-json.ts';
import { BusyButton } from '#islands/shared/BusyButton.tsx';
import { withFaultNotice } from '#islands/shared/FaultNotice.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { LinkPage, type Linked } from '#islands/shared/LinkPage.tsx';
import { useForm } from '#islands/shared/use-form.ts';

/** The page of a review's link: the products of an order, and what the customer says about each. */
function ReviewPage() {
  return (
    <LinkPage fetchState={fetchOrderReviews}>{(linked) => <ReviewForm {...linked} />}</LinkPage>
  );
}

const isOpen = ({ review }: ReviewedProduct): boolean => review === null || review.state === 'new';
const draftOf = (orderId: number) =>
  storedJson('session', `kasavu:review:${String(orderId)}`, (value) =>
    z.record(z.string(), z.string()).parse(value),
  );

/** The texts by field, as they were sent before. */
const textsOf = ({ name, town, products }: OrderReviews): Record<string, string> => ({
  name,
  town,
  ...Object.fromEntries(
    products.flatMap(({ id, review }) => [
      [`${id}.stars`, review === null ? '' : String(review.stars)],
      [`${id}.words`, review?.words ?? ''],
    ]),
  ),
});
const imagesOf = ({ products }: OrderReviews): Record<string, ReviewImage> =>
  Object.fromEntries(products.map(({ id, review }) => [id, review?.hasImage ? 'stored' : null]));

function ReviewForm({ token, state, setState }: Linked<OrderReviews>) {
  const [draft] = useState(() => draftOf(state.orderId));
  const [initial] = useState(() => ({ ...textsOf(state), ...draft.read() }));
  const form = useForm(() => initial);
  const [images, setImages] = useState(() => imagesOf(state));
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const { values, ref, errors, busy } = form;
  const open = state.products.filter(isOpen);

  useEffect(() => {
    if (values !== initial) draft.write(values);
  }, [draft, initial, values]);

  const send = async () => {
    setProblem(null);
    const written = open.filter(({ id }) =>
      [`${id}.stars`, `${id}.words`].some((field) => values[field]?.trim()),
    );
    const parsed = reviewsSchema.safeParse({
      name: values['name'],
      town: values['town'],
      reviews: written.map(({ id }) => ({
        productId: id,
        stars: Number(values[`${id}.stars`]),
        words: values[`${id}.words`],
        keepsImage: images[id] !== null,
      })),
    });
    if (!parsed.success) {
      form.refuse(
        Object.fromEntries(
          parsed.error.issues.map(({ path: [field, index, part], message }) => [
            typeof index === 'number'
              ? `${written[index]?.id ?? ''}.${String(part)}`
              : String(field),
            message,
          ]),
        ),
      );
      return;
    }
    setState(await sendReviews(token, parsed.data));
    draft.forget();
    for (const { id } of written) {
      const image = images[id];
      if (!(image instanceof Blob)) continue;
      setState(await sendReviewImage(token, id, image));
      setImages((before) => ({ ...before, [id]: 'stored' }));
    }
    setSent((count) => count + 1);
  };

  return (
    <form
      noValidate
      ref={ref}
      className="mt-2 grid gap-6"
      onSubmit={(event) =>
        void form.submit(event, send, (error) => {
          setProblem(reasonOf(error));
        })
      }
    >
      {sent === 0 ? (
        <p className="text-ink-500">
          Order #{state.orderId}. Say something about one product or each, good or bad. We read it
          before it is shown in the shop.
        </p>
      ) : (
        <Thanks key={sent} />
      )}
      {state.products.map((product) => (
        <ReviewFields
          key={product.id}
          product={product}
          form={form}
          image={images[product.id] ?? null}
          onImage={(image) => {
            setImages({ ...images, [product.id]: image });
          }}
        />
      ))}
      {open.length === 0 ? null : (
        <section className="grid gap-5 border-t border-line pt-6" aria-labelledby="shown-with-it">
          <h2 className="section-title" id="shown-with-it">
            Shown beside your words
          </h2>
          <Field {...form.bind('name')} label="Name" autoComplete="given-name" required />
          <Field
            {...form.bind('town')}
            label="Town (optional)"
            autoComplete="address-level2"
            hint="Everybody can read name and town with your review. Leave the town empty if you like."
          />
          {[errors['reviews'], problem].map((sentence) =>
            sentence ? (
              <p key={sentence} className="text-danger-700" role="alert">
                {sentence}
              </p>
            ) : null,
          )}
          <BusyButton busy={busy} busyText="Sending…">
            {open.some(({ review }) => review !== null) ? 'Send the changes' : 'Send'}
          </BusyButton>
        </section>
      )}
    </form>
  );
}

function Thanks() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that had the focus is at the end of the page.
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'center', behavior: 'instant' });
  }, []);
  return (
    <section className="panel" aria-label="Sent">
      <h2 className="section-title" ref={heading} tabIndex={-1}>
        Thank you, we have it
      </h2>
      <p className="mt-1">
        We read it before it is shown. Until then you can change it here, by the link of the e-mail.
      </p>
    </section>
  );
}

export default withFaultNotice(ReviewPage);
