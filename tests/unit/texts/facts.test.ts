import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { facts, fillAll, fillFacts } from '#domain/texts/facts.ts';
import { policyBlocks, policyParts } from '#domain/texts/policy-parts.ts';
import { seller } from '#settings/seller.ts';
import { escapeXml } from '#domain/xml.ts';
import { shop } from '#settings/shop.ts';

const file = 'src/shop/texts/returns.md';

test('facts are filled in, with or without spaces, and every text of a file of data gets them', () => {
  expect(fillFacts('{{shop.name}} within {{ shipping.damageHours }} hours', file)).toBe(
    `${shop.name} within ${String(seller.shipping.damageHours)} hours`,
  );
  expect(fillAll({ lead: '{{shop.name}}', list: [{ text: '{{fee}}%' }], more: 3 }, file)).toEqual({
    lead: shop.name,
    list: [{ text: `${(shop.platformFeeBps / 100).toFixed(2)}%` }],
    more: 3,
  });
});

test('what is no fact is refused, with the file, the name and the facts there are', () =>
  eachRow(
    [
      [
        '{{damageHour}}',
        `{{damageHour}} is not a fact. Known facts: ${Object.keys(facts).join(', ')}`,
      ],
      ['{{shop name}}', '{{shop name}} is not a fact.'],
      ['{{constructor}}', '{{constructor}} is not a fact.'],
      ['Hello {{shop.name}, we', '"Hello {{" has no pair.'],
    ],
    ([text, message]) => {
      expect(() => fillFacts(text, file)).toThrow(`src/shop/texts/returns.md: ${message}`);
    },
  ));

test('a policy has its facts as HTML, and in the addresses of links', () => {
  const [part] = policyParts(
    '<p><a href="mailto:%7B%7Bcontact.email%7D%7D">{{contact.email}}</a> at {{shop.name}}</p>\n',
    file,
    false,
  );
  const email = seller.contact.emails[0];
  expect(part).toEqual({
    html: `<p><a href="mailto:${email}">${email}</a> at ${escapeXml(shop.name)}</p>\n`,
  });
});

test('a block stands alone in its paragraph, and the texts around it stay in order', () => {
  expect(
    policyParts('<h2>Who</h2>\n<p>{{seller-details}}</p>\n<p>More.</p>\n', file, false),
  ).toEqual([
    { html: '<h2>Who</h2>\n' },
    { block: 'seller-details' },
    { html: '\n<p>More.</p>\n' },
  ]);
  expect(() => policyParts('<p>We are {{seller-details}}</p>', file, false)).toThrow(
    'src/shop/texts/returns.md: {{seller-details}} stands inside a text. Put it alone into a paragraph',
  );
  for (const block of policyBlocks)
    expect(policyParts(`<p>{{${block}}}</p>`, file, false)).toContainEqual({ block });
});

test('what is said of the security check is shown only with it', () => {
  const html =
    '<ul>\n<li>One</li>\n<li>{{only-with-security-check}} Cloudflare: its\ncheck</li>\n</ul>\n';
  expect(policyParts(html, file, false)).toEqual([{ html: '<ul>\n<li>One</li>\n</ul>\n' }]);
  expect(policyParts(html, file, true)).toEqual([
    { html: '<ul>\n<li>One</li>\n<li>Cloudflare: its\ncheck</li>\n</ul>\n' },
  ]);
});

test('the first row and column of a policy’s table head the others', () => {
  const [part] = policyParts(
    '<thead>\n<tr>\n<th>Service</th>\n<th>Time</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>Standard</td>\n<td>5 days</td>\n</tr>\n</tbody>',
    file,
    false,
  );
  expect(part).toEqual({
    html: '<thead>\n<tr>\n<th scope="col">Service</th>\n<th scope="col">Time</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<th scope="row">Standard</th>\n<td>5 days</td>\n</tr>\n</tbody>',
  });
});

test('the guide to the texts lists every fact and block, and no other', () => {
  const guide = readFileSync('docs/texts.md', 'utf8');
  const listed = [...guide.matchAll(/^\| `\{\{(.+?)\}\}` \|/gmu)].map(([, name]) => name);
  expect(listed).toEqual([...Object.keys(facts), ...policyBlocks, 'only-with-security-check']);
});

// Mails of customers, their bookmarks and the profile page lead to these.
test.each([
  ['privacy', 'what'],
  ['terms', 'prices'],
  ['returns', 'damaged'],
])('the policy %s has a heading with the anchor %s', (name, anchor) => {
  const markdown = readFileSync(`src/shop/texts/${name}.md`, 'utf8');
  expect(markdown).toMatch(new RegExp(`^## .+ \\{#${anchor}\\}$`, 'mu'));
});
