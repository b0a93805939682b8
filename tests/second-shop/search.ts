import type { SearchSettings } from '../shop-schema/search-schema.ts';

export const search: SearchSettings = {
  synonyms: [
    { words: 'anklet, painjan, payal, pajeb, पैंजण, पायल', within: 'anklets' },
    { words: 'toe ring, jodvi, bichiya, जोडवी, बिछिया', within: 'toe-rings' },
    { words: 'pearl, moti, मोती', finds: 'bugadi' },
  ],
  ignored: 'for, with, silver',
};
