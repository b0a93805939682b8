import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { tax } from '#settings/tax.ts';
import { businessDays } from '#domain/calendar-day.ts';
import { rupeesFromPaise } from '#domain/money.ts';
import { availabilityOf } from './current-stock.ts';
import { categoryLabel } from './category.ts';
import { chargedPrice, type Product } from './product.ts';
import { sizedName } from './sizes.ts';
import { sku } from './sku.ts';

/** Structured data for search engines, as schema.org names it. */
type Data = Record<string, unknown>;

/** The absolute address of a path; without a configured site that of a local build. */
function addressOf(path: string, site: URL | undefined): string {
  return new URL(path, site ?? shop.defaultOrigin).href;
}

/** Items of [name, path] from the home page, which is added. */
export function breadcrumbs(
  items: readonly (readonly [name: string, path: string])[],
  site: URL | undefined,
): Data {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [['Home', '/'] as const, ...items].map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: addressOf(path, site),
    })),
  };
}

/** The shop itself. */
export function organization(site: URL | undefined): Data {
  return {
    '@type': 'Organization',
    name: shop.name,
    legalName: seller.legalName,
    url: addressOf('/', site),
    logo: addressOf('/icon-512.png', site),
    description: seller.description,
    email: seller.contact.emails[0],
    telephone: seller.contact.phone,
    address: { '@type': 'PostalAddress', addressRegion: tax.home.name, addressCountry: 'IN' },
  };
}

/** A question that people ask, with its answer in plain words and the page with more. */
export interface Question {
  question: string;
  answer: string;
  more?: { path: string; text: string };
}

/** Questions and answers, as the page shows them. */
export function faqPage(questions: readonly Question[]): Data {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

/** '5-7 business days' as Google reads it (developers.google.com/search/docs/appearance/structured-data/merchant-listing). */
function inDays(text: string): Data | undefined {
  const days = businessDays(text);
  if (days === null) return undefined;
  return { '@type': 'QuantitativeValue', minValue: days[0], maxValue: days[1], unitCode: 'DAY' };
}

/** Every offer of the shop has these terms. */
const terms: Data = {
  priceCurrency: shop.currency,
  itemCondition: 'https://schema.org/NewCondition',
  shippingDetails: {
    '@type': 'OfferShippingDetails',
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'IN' },
    // The cart's summary adds no shipping (spec section 4).
    shippingRate: { '@type': 'MonetaryAmount', value: 0, currency: shop.currency },
    deliveryTime: {
      '@type': 'ShippingDeliveryTime',
      handlingTime: inDays(seller.shipping.processing),
      transitTime: inDays(seller.shipping.standard),
    },
  },
  hasMerchantReturnPolicy: {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'IN',
    returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted',
  },
};

/**
 * A product with its offer; one with sizes is a group with a variant for each (developers.google.com/search/docs/appearance/
 * structured-data/product-variants, read on 28 November 2026). The rating is the feature `reviews`' own, because the fixed stars of the page are nobody's. `images` are
 * absolute addresses.
 */
export function productData(
  product: Product,
  images: readonly string[],
  site: URL | undefined,
): Data {
  const { id, name, attributes, sizes } = product;
  const url = addressOf(`/product/${id}`, site);
  const offer = (stock: number): Data => ({
    '@type': 'Offer',
    url,
    price: rupeesFromPaise(chargedPrice(product)).toFixed(2),
    availability: availabilityOf({ stock }),
    ...terms,
  });
  const shared: Data = {
    name,
    description: product.description,
    image: images,
    category: categoryLabel(product.category),
    brand: { '@type': 'Brand', name: shop.name },
    ...(attributes.metal !== undefined && { material: attributes.metal }),
    ...(attributes.weight_g !== undefined && {
      weight: { '@type': 'QuantitativeValue', value: attributes.weight_g, unitCode: 'GRM' },
    }),
  };
  if (sizes.length === 0)
    return { '@type': 'Product', sku: sku(id), ...shared, offers: offer(product.stock) };
  return {
    '@type': 'ProductGroup',
    productGroupID: id,
    url,
    variesBy: 'https://schema.org/size',
    ...shared,
    hasVariant: sizes.map(({ size, stock }) => ({
      '@type': 'Product',
      sku: sku(id, size),
      name: sizedName(name, size),
      size,
      image: images,
      offers: offer(stock),
    })),
  };
}
