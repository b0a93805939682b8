import { facetNames, facetValueLabel, type FacetName } from '#domain/catalogue/listing/facets.ts';
import type { SearchAnswer } from '#domain/catalogue/listing/catalogue-index.ts';
import { nearestSentence, type NearestResults } from '#domain/catalogue/listing/nearest-results.ts';
import type { ListingFilters } from '#domain/catalogue/listing/listing.ts';
import { groupDigits } from '#domain/money.ts';

interface Summary {
  shown: number;
  total: number;
  /** What the customer typed. */
  search: string;
  /** The search that was made instead of the requested one. */
  corrected: string | null;
  answer: SearchAnswer | null;
  nearest: NearestResults | null;
  facets: ListingFilters['facets'];
  category: ListingFilters['category'];
}

/** Writes a text only if it differs, because a screen reader announces each change of a live region. */
function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Puts what was searched for into the question by WhatsApp. */
function drawQuestion(link: HTMLAnchorElement | null, search: string): void {
  if (!link) return;
  const term = search.trim().replaceAll(/\s+/gu, ' ');
  const message = `${link.dataset['ask'] ?? ''} ${term === '' ? '' : `“${term}”.`}`;
  // `searchParams` would write a space as '+', which WhatsApp may show.
  link.href = link.href.replace(/[?]text=.*/u, () => `?text=${encodeURIComponent(message)}`);
  write(link, term === '' ? 'Ask on WhatsApp' : `Ask on WhatsApp for “${term}”`);
}

/** Shows what the shop answers to the words of a search, and which of them no product has. */
function drawAnswer(
  line: HTMLElement | null,
  answer: SearchAnswer | null,
  nearest: NearestResults | null,
): void {
  if (!line) return;
  const key = JSON.stringify([answer, nearest && nearestSentence(nearest)]);
  line.hidden = answer === null && nearest === null;
  if (line.dataset['key'] === key) return;
  line.dataset['key'] = key;
  line.replaceChildren(nearest === null ? '' : nearestSentence(nearest));
  if (answer === null) return;
  const { href, link, sentence } = answer;
  line.append(
    `${nearest === null ? '' : ' '}${sentence} `,
    Object.assign(document.createElement('a'), { href, textContent: link, className: 'link' }),
  );
}

/** Shows how many products there are, what was searched for, and which filters are chosen. */
export function drawSummary(
  host: HTMLElement,
  { shown, total, search, corrected, answer, nearest, facets, category }: Summary,
): void {
  const find = (name: string): HTMLElement | null => host.querySelector(`[data-${name}]`);
  write(find('count'), `Showing ${groupDigits(shown)} of ${groupDigits(total)} products`);
  const note = find('note');
  write(note, corrected === null ? '' : `Showing results for “${corrected}”.`);
  if (note) note.hidden = corrected === null;
  drawAnswer(find('answer'), answer, shown > 0 ? nearest : null);
  const empty = find('empty');
  if (empty) empty.hidden = shown > 0;
  if (shown === 0) drawQuestion(host.querySelector('[data-ask]'), search);
  write(find('show-results'), `Show ${groupDigits(shown)} ${shown === 1 ? 'product' : 'products'}`);
  const chosen = facetNames.flatMap((name) =>
    facets[name].map((value): [FacetName, string] => [name, value]),
  );
  write(find('filter-count'), chosen.length === 0 ? '' : ` (${String(chosen.length)})`);
  for (const chip of host.querySelectorAll<HTMLElement>('[data-chips] a')) {
    const { action, value } = chip.dataset;
    const hasOffers = facets.offers.length > 0;
    const isChosen =
      action === 'offers' ? hasOffers : value === category && !(action === 'all' && hasOffers);
    chip.ariaCurrent = isChosen ? 'true' : null;
  }
  const list = find('chosen');
  if (!list) return;
  list.hidden = chosen.length === 0;
  const key = JSON.stringify(chosen);
  if (list.dataset['key'] === key) return;
  list.dataset['key'] = key;
  list.replaceChildren(...chosen.map(([name, value]) => drawChosen(name, value)));
}

function drawChosen(name: FacetName, value: string): HTMLLIElement {
  const label = facetValueLabel(name, value);
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: label,
    ariaLabel: `Remove filter ${label}`,
  });
  button.className = 'min-h-11 cursor-pointer bg-mist px-3 text-sm/relaxed whitespace-nowrap';
  Object.assign(button.dataset, { action: 'remove', facet: name, value });
  const item = document.createElement('li');
  item.append(button);
  return item;
}
