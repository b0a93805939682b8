import { categories } from '#settings/categories.ts';
import { shop } from '#settings/shop.ts';
import type { WornOn } from '#shop-schema/shop-schema.ts';
import type { Cell } from '#domain/csv.ts';
import { rupeesFromPaise, type Paise } from '#domain/money.ts';
import { factsOf } from '#domain/catalogue/attributes.ts';
import { escapeXml, unescapeXml } from '#domain/xml.ts';
import { categoryLabel, type Category } from '#domain/catalogue/category.ts';
import type { Product } from '#domain/catalogue/product.ts';
import { sizedName } from '#domain/catalogue/sizes.ts';
import { sku } from '#domain/catalogue/sku.ts';

/*
 * The catalogue as Google Merchant Center (support.google.com/merchants/answer/7052112) and Meta's Commerce Manager, for
 * Instagram and WhatsApp (developers.facebook.com/docs/commerce-platform/catalog/fields), read it: RSS 2.0 with Google's
 * elements. They differ in how they spell the stock, and Meta wants to know how many there are.
 */
export const feedNetworks = ['google', 'meta'] as const;
export type FeedNetwork = (typeof feedNetworks)[number];

/** The limits in characters, the smaller one of the two networks where they differ. */
const maxLengths = { title: 150, description: 5_000, material: 200 };

/** The product's facts as Google's `product_detail` (support.google.com/merchants/answer/9218260). */
const detailsXml = (facts: readonly (readonly [term: string, text: string])[]): string =>
  facts
    .map(
      ([term, text]) =>
        `<g:product_detail><g:attribute_name>${escapeXml(term)}</g:attribute_name><g:attribute_value>${escapeXml(text)}</g:attribute_value></g:product_detail>`,
    )
    .join('');

/** Meta has no field for a product's facts, so its description ends with them. */
const withFacts = (
  description: string,
  facts: readonly (readonly [term: string, text: string])[],
): string => [description, ...facts.map(([term, text]) => `${term}: ${text}`)].join('\n');

/** A product, or one of its sizes, as it is offered elsewhere. */
interface Variant {
  id: string;
  size: string | null;
  /** Units that can be ordered. */
  stock: number;
}
type Stocked = Pick<Product, 'id' | 'stock' | 'sizes'>;

/** Everything that can be ordered of a product. */
const variantsOf = ({ id, stock, sizes }: Stocked): Variant[] =>
  sizes.length === 0
    ? [{ id, size: null, stock }]
    : sizes.map((one) => ({ id: sku(id, one.size), size: one.size, stock: one.stock }));

const availability = (network: FeedNetwork, stock: number): string => {
  const words = stock > 0 ? 'in stock' : 'out of stock';
  return network === 'google' ? words.replaceAll(' ', '_') : words;
};
const amount = (paise: Paise): string => `${rupeesFromPaise(paise).toFixed(2)} ${shop.currency}`;

/** A product of the feed; absolute addresses. */
export interface FeedProduct extends Product {
  address: string;
  /** JPEG, the first one first, at least one. */
  imageAddresses: readonly string[];
}

/** The name, or the category's for a name of which XML can hold nothing. */
const readable = (name: string, category: Category): string =>
  escapeXml(name.slice(0, maxLengths.title)).trim() === '' ? categoryLabel(category) : name;

/** Numbers in Google's list (google.com/basepages/producttype/taxonomy-with-ids.en-US.txt). */
const googleCategories: Readonly<Record<WornOn, number>> = {
  finger: 200,
  toe: 200,
  neck: 196,
  wrist: 191,
  watch: 201,
  ear: 194,
  ankle: 189,
};

/** The category's number in Google's list: the one of the settings, else the one for what is worn there. */
function googleCategoryOf(category: Category): string | undefined {
  const settings = categories.find(({ slug }) => slug === category);
  return settings && String(settings.googleCategory ?? googleCategories[settings.wornOn]);
}

/** One line, because Meta refuses a file with a line of more than 5 MB. */
function itemXml(network: FeedNetwork, product: FeedProduct, variant: Variant): string {
  const { name, category, description, price, offerPrice, attributes } = product;
  const [image, ...more] = product.imageAddresses;
  const facts = factsOf(attributes);
  const text = description.trim() === '' ? readable(name, category) : description;
  const elements: (readonly [name: string, text: string | undefined])[] = [
    ['g:id', variant.id],
    [
      'g:title',
      sizedName(readable(name, category), variant.size ?? undefined).slice(0, maxLengths.title),
    ],
    [
      'g:description',
      (network === 'meta' ? withFacts(text, facts) : text).slice(0, maxLengths.description),
    ],
    ['g:link', product.address],
    ['g:image_link', image],
    ...more.map((address) => ['g:additional_image_link', address] as const),
    ['g:availability', availability(network, variant.stock)],
    ['g:quantity_to_sell_on_facebook', network === 'meta' ? String(variant.stock) : undefined],
    ['g:price', amount(price)],
    ['g:sale_price', offerPrice === null ? undefined : amount(offerPrice)],
    ['g:condition', 'new'],
    ['g:brand', shop.name],
    // The products are made by hand and have no maker's number and no barcode.
    ['g:identifier_exists', network === 'google' ? 'no' : undefined],
    ['g:google_product_category', googleCategoryOf(category)],
    ['g:product_type', `Jewellery > ${categoryLabel(category)}`],
    ['g:item_group_id', variant.size === null ? undefined : product.id],
    ['g:size', variant.size ?? attributes.size],
    ['g:material', attributes.metal?.slice(0, maxLengths.material)],
  ];
  const xml = elements
    .filter((element): element is readonly [string, string] => (element[1] ?? '') !== '')
    .map(([element, text]) => `<${element}>${escapeXml(text)}</${element}>`);
  if (network === 'google') xml.push(detailsXml(facts));
  // The cart's summary adds no shipping (spec section 4).
  xml.push(
    `<g:shipping><g:country>IN</g:country><g:price>0.00 ${shop.currency}</g:price></g:shipping>`,
  );
  return `<item>${xml.join('')}</item>`;
}

/**
 * The feed of a network as XML, each size an item of its own. A product without an image is left out: both networks refuse it.
 * `site` is the shop's absolute address.
 */
export function productFeed(
  network: FeedNetwork,
  products: readonly FeedProduct[],
  site: string,
): string {
  const items = products
    .filter(({ imageAddresses }) => imageAddresses.length > 0)
    .flatMap((product) => variantsOf(product).map((variant) => itemXml(network, product, variant)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">',
    `<channel><title>${escapeXml(shop.name)}</title><link>${escapeXml(site)}</link>`,
    `<description>The catalogue of ${escapeXml(shop.name)}</description>`,
    ...items,
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

/** An item that a built feed has. */
export interface BuiltItem {
  id: string;
  /** As the feed writes it: '1499.00 INR'. */
  price: string;
}

/** The items of a feed that `productFeed` wrote. */
export const builtItems = (feed: string): BuiltItem[] =>
  [...feed.matchAll(/<item><g:id>([^<]*)<\/g:id>[\s\S]*?<g:price>([^<]*)<\/g:price>/gu)].map(
    ([, id = '', price = '']) => ({ id: unescapeXml(id), price: unescapeXml(price) }),
  );

/**
 * Rows of the small feed that keeps stock and prices fresh between builds, by the ids of the large one. The first row names the columns.
 * Networks keep what the large feed says of an item that the small one leaves out: so an item that is gone since the build is a row, too.
 */
export function stockFeed(
  network: FeedNetwork,
  products: readonly (Stocked & Pick<Product, 'price' | 'offerPrice'>)[],
  built: readonly BuiltItem[],
): Cell[][] {
  const current = new Set(products.flatMap((product) => variantsOf(product).map(({ id }) => id)));
  const gone = built.filter(({ id }) => !current.has(id));
  const count = network === 'meta' ? ['quantity_to_sell_on_facebook'] : [];
  return [
    ['id', 'availability', 'price', 'sale_price', ...count],
    ...products.flatMap((product) =>
      variantsOf(product).map(({ id, stock }) => [
        id,
        availability(network, stock),
        amount(product.price),
        product.offerPrice === null ? '' : amount(product.offerPrice),
        ...count.map(() => String(stock)),
      ]),
    ),
    ...gone.map(({ id, price }) => [
      id,
      availability(network, 0),
      price,
      '',
      ...count.map(() => '0'),
    ]),
  ];
}
