import { indiaDay } from '../../domain/india-dates.ts';
import { legal } from '../../settings/seller.ts';

/** The day the policies last changed, as readers see it: '22 November 2026'. */
export const policiesUpdated = indiaDay(legal.policiesUpdated);
