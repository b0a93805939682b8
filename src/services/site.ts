import * as environment from './environment.ts';

/** Whether search engines may list this build: not a deploy preview or a branch. Unset outside Netlify. */
export const indexable: boolean = ['', 'production'].includes(environment.deployContext);

/** The path a page is known by: '/shop' for the built file `/shop.html`, '/' for the home page. */
export function pagePath(url: URL): string {
  const path = url.pathname.replace(/(?:\/index)?(?:\.html)?\/*$/u, '');
  return path === '' ? '/' : path;
}
