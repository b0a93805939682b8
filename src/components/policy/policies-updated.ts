import { legal, shop } from '../../shop.config.ts';

/** The day the policies last changed, as readers see it: '22 November 2026'. */
export const policiesUpdated = new Date(`${legal.policiesUpdated}T00:00:00Z`).toLocaleDateString(
  shop.locale,
  {
    dateStyle: 'long',
    timeZone: 'UTC',
  },
);
