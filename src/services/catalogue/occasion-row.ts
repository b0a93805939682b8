import { parseOccasion, type Occasion } from '../../domain/catalogue/occasion.ts';
import { fetchRows } from './catalogue.ts';

/** The admin's occasion for this build; null for none. Throws when the database cannot be read. */
export async function occasionRow(): Promise<Occasion | null> {
  const [row] = await fetchRows('occasion', {
    select: 'heading,sentence,first_day,last_day,products',
  });
  return row === undefined ? null : parseOccasion(row);
}
