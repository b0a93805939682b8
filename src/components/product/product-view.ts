import { imageAddress, placeholderImage, sizedImage } from '#domain/image.ts';
import { feeOf } from '#domain/sums/platform-fee.ts';
import { formatRupees, splitRupees, type RupeeText } from '#domain/money.ts';
import { materialLine } from '#domain/catalogue/material-line.ts';
import { categoryLabel } from '#domain/catalogue/category.ts';
import { chargedPrice, type Product } from '#domain/catalogue/product.ts';
import { maxSizes } from '#domain/catalogue/sizes.ts';
import { imageFor, imageLayouts, type Picture } from '#services/catalogue/image-layouts.ts';
import { shop } from '#settings/shop.ts';
import * as environment from '#services/environment.ts';

/**
 * The texts of a product's page: of a product that was there at the build, or the placeholders of a newer one, which
 * `netlify/functions/product.ts` fills. One markup serves both.
 */
export interface ProductView {
  /** Null for the placeholders: what needs the numbers is hidden until `new-product` knows them. */
  product: Product | null;
  id: string;
  name: string;
  category: string;
  categoryLabel: string;
  description: string;
  /** Metal, plating, stone and weight; empty without any. */
  material: string;
  stock: string;
  sizes: readonly { size: string; stock: string }[];
  /** What the shop says about the size in one sentence; empty when it says nothing. */
  sizeText: string;
  /** `was` is formatted, and empty without an offer. */
  price: { now: RupeeText; was: string };
  /** The platform fee on one unit, formatted; empty in a shop without one. */
  fee: string;
  images: readonly { picture: Picture; large: string; alt: string; thumb: string }[];
  /** Name and address as they stand in an address: the text of a WhatsApp message. */
  message: string;
}

/** A product of this build; `address` is its page's. */
export function viewOf(product: Product, address: string): ProductView {
  const { id, name, category, description, price, offerPrice, stock, sizes, imageAlts } = product;
  const entries = product.images.length > 0 ? product.images : [undefined];
  return {
    product,
    id,
    name,
    category,
    categoryLabel: categoryLabel(category),
    description,
    material: materialLine(product.attributes),
    stock: String(stock),
    sizeText: product.attributes.size ?? '',
    sizes: sizes.map((one) => ({ size: one.size, stock: String(one.stock) })),
    price: {
      now: splitRupees(chargedPrice(product)),
      was: offerPrice === null ? '' : formatRupees(price),
    },
    fee: feeOf(chargedPrice(product)),
    images: entries.map((entry, index) => ({
      picture: imageFor(entry, imageLayouts.detail),
      large: sizedImage(imageAddress(entry, environment.supabaseUrl), 1680, 'webp'),
      alt: imageAlts[index] ?? (index === 0 ? name : `${name}, picture ${String(index + 1)}`),
      thumb: imageFor(entry, imageLayouts.thumb).src,
    })),
    message: encodeURIComponent(`${name}: ${address}`),
  };
}

/** The placeholders. It has the first image; `new-product` adds the others. */
export const placeholderView: ProductView = {
  product: null,
  id: '__PRODUCT_ID__',
  name: '__PRODUCT_NAME__',
  category: '__PRODUCT_CATEGORY__',
  categoryLabel: '__PRODUCT_CATEGORY_LABEL__',
  description: '__PRODUCT_DESCRIPTION__',
  material: '__PRODUCT_MATERIAL__',
  stock: '__PRODUCT_STOCK__',
  sizeText: '__PRODUCT_SIZE_TEXT__',
  // Those that a product has not stay empty, and are not shown.
  sizes: Array.from({ length: maxSizes }, (_, index) => ({
    size: `__PRODUCT_SIZE_${String(index + 1)}__`,
    stock: `__PRODUCT_SIZE_${String(index + 1)}_STOCK__`,
  })),
  price: {
    now: { rupees: '__PRODUCT_PRICE__', decimals: '__PRODUCT_PRICE_DECIMALS__' },
    was: '__PRODUCT_FULL_PRICE__',
  },
  fee: shop.platformFeeBps === 0 ? '' : '__PRODUCT_FEE__',
  images: [
    {
      picture: { avif: null, src: '__PRODUCT_IMAGE_LARGE__' },
      large: '__PRODUCT_IMAGE__',
      alt: '__PRODUCT_IMAGE_ALT__',
      thumb: placeholderImage,
    },
  ],
  message: '__PRODUCT_NAME_ENCODED__%3A%20__PRODUCT_URL_ENCODED__',
};
