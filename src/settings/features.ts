import { askAfterDays } from './reviews.ts';

/** The features that this shop has switched off, by their folders: they have no page and no list in the inbox. */
export const featuresOff: readonly string[] = askAfterDays === null ? ['reviews'] : [];
