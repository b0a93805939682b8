import { useState } from 'react';
import type { InboxReview } from '#domain/admin/inbox.ts';
import { parseForm } from '#domain/checkout/forms.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { imageAddress } from '#domain/image.ts';
import { callAdmin } from '#services/admin/api.ts';
import { fetchReviews } from '#services/admin/inbox.ts';
import * as environment from '#services/environment.ts';
import { showToast } from '#stores/toasts.ts';
import { Field } from '#islands/shared/Field.tsx';
import { ProductImage } from '#islands/shared/ProductImage.tsx';
import { InboxList } from '#islands/admin/inbox/InboxList.tsx';
import { useInbox } from '#islands/admin/inbox/use-inbox.ts';
import { ActionError } from '#islands/admin/shared/ActionError.tsx';
import type { InboxCounts } from '#islands/admin/shared/admin-view.ts';
import { refetch } from '#islands/admin/shared/fetching/query-client.ts';
import { listsKey } from '#islands/admin/shared/fetching/use-pages.ts';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { starCount } from './domain/review.ts';
import { reviewDecisionSchema, reviewsApi } from './domain/reviews-api.ts';

/** Customers' reviews, newest first. The admin publishes, answers or hides them; stars and words stay the customer's. */
export function ReviewList({ onCounts }: { onCounts: (counts: InboxCounts) => void }) {
  const pages = useInbox('reviews', fetchReviews, onCounts);
  return (
    <InboxList
      pages={pages}
      empty="No reviews yet. Customers are asked by e-mail some days after the delivery; what they write arrives here."
    >
      {(review) => <Review key={review.id} review={review} />}
    </InboxList>
  );
}

const badges = {
  new: ['New', 'badge-yellow'],
  published: ['Published', 'badge-green'],
  hidden: ['Hidden', 'badge-grey'],
} as const;

/** What a decision has done, for a review that was or was not published before. */
function describeDecision(wanted: 'published' | 'hidden', wasPublished: boolean): [string, string] {
  if (wanted === 'published')
    return ['Published', 'Customers see it once the page of the product is built.'];
  return [
    'Hidden',
    wasPublished
      ? 'Its words and photo are gone from the page. Until the next build the page shows no reviews, and lists still count its stars.'
      : 'Customers do not see it.',
  ];
}

function Review({ review }: { review: InboxReview }) {
  const { id, stars, words, name, town, image, state } = review;
  const action = useAction();
  const [answer, setAnswer] = useState(review.answer);
  const [refused, setRefused] = useState<string | undefined>();
  const decide = (wanted: 'published' | 'hidden') => {
    const parsed = parseForm(reviewDecisionSchema, {
      state: wanted,
      answer,
      seen: { stars, words, name, town, image },
    });
    setRefused(parsed.ok ? undefined : parsed.errors['answer']);
    if (!parsed.ok) return;
    void action.run('The review was not changed', async () => {
      await callAdmin(reviewsApi.decide, { params: { id }, body: parsed.values }).finally(() => {
        // The list is refetched after a refusal, too: the customer may have changed the review.
        refetch(listsKey);
      });
      const [title, description] = describeDecision(wanted, state === 'published');
      showToast(title, { description, tone: 'success' });
    });
  };
  const [label, tone] = badges[state];
  return (
    <li className="grid gap-3 border-b border-line py-5" aria-labelledby={`review-${String(id)}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium wrap-anywhere" id={`review-${String(id)}`}>
          {starCount(stars)} for{' '}
          <a className="link" href={`/product/${review.productId}`}>
            {review.product}
          </a>
        </h3>
        <span className="flex items-center gap-3 text-xs/relaxed text-ink-500">
          <span className={`badge ${tone}`}>{label}</span>
          <time dateTime={review.createdAt}>{indiaMoment(review.createdAt)}</time>
        </span>
      </div>
      <p className="text-sm text-ink-500">
        {name}
        {town === '' ? '' : `, ${town}`}
      </p>
      <p className="max-w-text wrap-anywhere whitespace-pre-line">{words}</p>
      {image === null ? null : (
        <a
          className="w-fit"
          href={imageAddress(image, environment.supabaseUrl)}
          target="_blank"
          rel="noopener"
          aria-label={`Photo by ${name}, larger`}
        >
          <ProductImage entry={image} width={112} className="w-28" />
        </a>
      )}
      <Field
        name={`answer-${String(id)}`}
        label="Your answer (optional, shown beneath)"
        rows={2}
        value={answer}
        error={refused}
        onValue={setAnswer}
      />
      <ActionError error={action.error} />
      <div className="flex flex-wrap gap-2">
        {state === 'published' && answer === review.answer ? null : (
          <button
            type="button"
            className="btn btn-primary btn-small"
            aria-busy={action.busy}
            onClick={() => decide('published')}
          >
            {state === 'published' ? 'Save the answer' : 'Publish'}
          </button>
        )}
        {state === 'hidden' ? null : (
          <button
            type="button"
            className="btn btn-secondary btn-small"
            aria-busy={action.busy}
            onClick={() => decide('hidden')}
          >
            Hide
          </button>
        )}
        {image === null ? null : (
          <p className="field-hint self-center">Hiding it deletes its photo.</p>
        )}
      </div>
    </li>
  );
}
