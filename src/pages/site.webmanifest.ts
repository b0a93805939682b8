import type { APIRoute } from 'astro';
import tokens from '../../tailwind.config.mjs';
import { seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';

export const GET: APIRoute = () =>
  new Response(
    JSON.stringify({
      name: seller.legalName,
      short_name: shop.name,
      description: seller.description,
      start_url: '/',
      display: 'minimal-ui',
      background_color: tokens.theme.colors.paper,
      theme_color: tokens.theme.colors.paper,
      icons: [
        { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
        { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      ],
    }),
    { headers: { 'content-type': 'application/manifest+json' } },
  );
