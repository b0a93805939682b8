import { escapeXml } from '#domain/xml.ts';
import { fillFacts } from './facts.ts';

/** What a policy's page puts in the place of a paragraph such as `{{seller-details}}`. */
export const policyBlocks = ['seller-details', 'grievance-officer', 'data-we-keep'] as const;
export type PolicyBlock = (typeof policyBlocks)[number];

/** A piece of a policy: text as HTML, or a block of the page. */
export type PolicyPart = { html: string } | { block: PolicyBlock };

const blockNames = policyBlocks.join('|');
const blockAlone = new RegExp(`<p>\\{\\{\\s*(${blockNames})\\s*\\}\\}</p>`, 'u');
const blockWithin = new RegExp(`\\{\\{\\s*(${blockNames})\\s*\\}\\}`, 'u');
const securityCheck = /<(li|p)>\{\{\s*only-with-security-check\s*\}\}\s*(.*?)<\/\1>\n?/gsu;

/** Names the rows and columns of a table by their first cells, for screen readers. Markdown has no way to say it. */
const withScopes = (html: string): string =>
  html
    .replaceAll('<th>', '<th scope="col">')
    .replaceAll(/(<tr>\n?)<td>(.*?)<\/td>/gsu, '$1<th scope="row">$2</th>');

/**
 * A policy's parts from the HTML of its Markdown.
 * @param file The Markdown file, which an error names.
 * @param hasSecurityCheck Whether the forms show Turnstile: keeps what begins with `{{only-with-security-check}}`.
 * @throws with a sentence for the owner when the text names something that is neither a fact nor a block.
 */
export function policyParts(html: string, file: string, hasSecurityCheck: boolean): PolicyPart[] {
  const shown = html.replaceAll(securityCheck, hasSecurityCheck ? '<$1>$2</$1>\n' : '');
  // `split` returns each block's name between the texts around it.
  return shown.split(blockAlone).map((part, index) => {
    if (index % 2 === 1) return { block: part as PolicyBlock };
    const within = blockWithin.exec(part)?.[1];
    if (within !== undefined)
      throw new Error(
        `${file}: {{${within}}} stands inside a text. Put it alone into a paragraph, with an empty line before and after it.`,
      );
    return { html: fillFacts(withScopes(part), file, escapeXml) };
  });
}
