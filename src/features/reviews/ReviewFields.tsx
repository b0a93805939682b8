import { useState } from 'react';
import { reviewLimits, type ReviewedProduct } from './domain/review.ts';
import { StarsField } from './StarsField.tsx';
import { readChosenPhoto } from '#services/images/read-chosen-photo.ts';
import { ChosenPhoto } from '#islands/shared/ChosenPhoto.tsx';
import { Field } from '#islands/shared/Field.tsx';
import { FileButton } from '#islands/shared/FileButton.tsx';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import type { Form } from '#islands/shared/use-form.ts';

/** The image of a review: one that was chosen, the one that was sent before ('stored'), or none. */
export type ReviewImage = Blob | 'stored' | null;

interface ReviewFieldsProps {
  product: ReviewedProduct;
  form: Form<Record<string, string>>;
  image: ReviewImage;
  onImage: (image: ReviewImage) => void;
}

/** Stars, words and an image for one product; what the shop has decided about can only be read. */
export function ReviewFields({ product, form, image, onImage }: ReviewFieldsProps) {
  const { id, name, review } = product;
  const isOpen = review === null || review.state === 'new';
  return (
    <section className="border-t border-line pt-6" aria-labelledby={`product-${id}`}>
      <div className="flex items-center gap-4">
        <ProductImage entry={product.image ?? undefined} width={80} className="w-20" />
        <h2 className="section-title min-w-0 wrap-anywhere" id={`product-${id}`} translate="no">
          {name}
        </h2>
      </div>
      {isOpen ? (
        <div className="mt-4 grid gap-5">
          <StarsField {...form.bind(`${id}.stars`)} />
          <Field
            {...form.bind(`${id}.words`)}
            label="Your words"
            rows={4}
            hint={`How does it look, feel and fit? At most ${String(reviewLimits.words)} characters.`}
          />
          <ImageField name={name} image={image} onImage={onImage} />
        </div>
      ) : (
        <p className="mt-4" role="status">
          {review.state === 'published'
            ? 'Your review is published. Thank you!'
            : 'The shop has read your review and does not show it.'}
        </p>
      )}
    </section>
  );
}

function ImageField({
  name,
  image,
  onImage,
}: Omit<ReviewFieldsProps, 'product' | 'form'> & { name: string }) {
  const [refused, setRefused] = useState<string | null>(null);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const read = await readChosenPhoto(file);
    setRefused(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') onImage(read);
  };
  return (
    <div className="field">
      <span className="field-label">
        Photo <span className="font-normal text-ink-500">(optional)</span>
      </span>
      {image instanceof Blob ? (
        <ChosenPhoto photo={image} label={`photo of ${name}`} onRemove={() => onImage(null)} />
      ) : null}
      {image === 'stored' ? (
        <p className="flex flex-wrap items-center gap-x-4">
          Your photo has arrived.
          <button type="button" className="btn btn-quiet" onClick={() => onImage(null)}>
            Remove it
          </button>
        </p>
      ) : null}
      {image === null ? (
        <FileButton
          label={`Add a photo of ${name}`}
          accept="image/*"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            void choose(file);
          }}
        />
      ) : null}
      {refused === null ? null : (
        <p className="field-error" role="alert">
          {refused}
        </p>
      )}
    </div>
  );
}
