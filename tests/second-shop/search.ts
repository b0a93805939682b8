import type { SearchSettings } from '#shop-schema/search-schema.ts';

export const search: SearchSettings = {
  synonyms: [
    { words: 'jhumka, झुमका, earring, bali', finds: 'hoop', within: 'jhumke' },
    { words: 'payal, painjan, anklet, पायल', within: 'payal' },
    { words: 'terracotta, mitti, clay, मिट्टी' },
  ],
  ignored: 'for, with, handmade',
};
