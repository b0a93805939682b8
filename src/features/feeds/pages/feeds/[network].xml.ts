import type { APIRoute, GetStaticPaths } from 'astro';
import {
  feedNetworks,
  productFeed,
  type FeedNetwork,
} from '#features/feeds/domain/product-feed.ts';
import { catalogue } from '#services/catalogue/built-catalogue.ts';
import { imageAddress, placeholderImage, sizedImage } from '#domain/image.ts';
import * as environment from '#services/environment.ts';
import { shop } from '#settings/shop.ts';

export const getStaticPaths = (() =>
  feedNetworks.map((network) => ({
    params: { network },
    props: { network },
  }))) satisfies GetStaticPaths;

/** An absolute address of a product's image as Google and Meta take it: JPEG, 1080 px wide. Null for what cannot be made one. */
function feedImage(entry: string, site: URL): string | null {
  const address = imageAddress(entry, environment.supabaseUrl);
  if (address === placeholderImage || address.startsWith('data:')) return null;
  return new URL(sizedImage(address, 1080, 'jpg'), site).href;
}

/** The catalogue for Google Merchant Center, and for Meta's shops on Instagram and WhatsApp. */
export const GET: APIRoute<{ network: FeedNetwork }> = async ({ props, site }) => {
  const origin = site ?? new URL(shop.defaultOrigin);
  const products = (await catalogue()).map((product) => ({
    ...product,
    address: new URL(`/product/${product.id}`, origin).href,
    imageAddresses: product.images.flatMap((entry) => feedImage(entry, origin) ?? []),
  }));
  return new Response(productFeed(props.network, products, origin.href), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
};
