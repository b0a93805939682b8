import type { APIRoute, GetStaticPaths } from 'astro';
import { feedNetworks, productFeed, type FeedNetwork } from '../../domain/product-feed.ts';
import { catalogue } from '../../../../services/catalogue/built-catalogue.ts';
import { feedImage } from '../../feed-image.ts';
import { shop } from '../../../../settings/shop.ts';

export const getStaticPaths = (() =>
  feedNetworks.map((network) => ({
    params: { network },
    props: { network },
  }))) satisfies GetStaticPaths;

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
