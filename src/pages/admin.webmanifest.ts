import type { APIRoute } from 'astro';
import tokens from '../../tailwind.config.mjs';
import { shop } from '#settings/shop.ts';

/**
 * The manifest by which a phone puts the owner's page on its home screen, where it opens like an app. An iPhone takes notifications
 * only there.
 */
export const GET: APIRoute = () =>
  new Response(
    JSON.stringify({
      id: '/admin',
      name: `${shop.name} Admin`,
      short_name: `${shop.name} Admin`,
      description: 'Orders, messages and the catalogue of the shop.',
      start_url: '/admin#today',
      scope: '/admin',
      display: 'standalone',
      background_color: tokens.theme.colors.paper,
      theme_color: tokens.theme.colors.paper,
      icons: [
        { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
        { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      ],
    }),
    { headers: { 'content-type': 'application/manifest+json' } },
  );
