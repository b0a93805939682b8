import { shopFolder } from '#integrations/check-shop/shop-folder.ts';

const { delivery, legal, seller, shop, tax, theme } = shopFolder;

/** The names of the shop in `src/shop`, and of the one that the engine comes with. */
const namesOfShop: readonly string[] = [
  'Kasavu',
  shop.name,
  shop.supportEmail,
  `${shop.prefixes.order}-`,
  `${shop.prefixes.invoice}/`,
  seller.legalName,
];

/** Words and colours by which the shop is known. None of them may be seen in another one. */
const wordsOfShop: readonly string[] = [
  ...namesOfShop,
  seller.tagline,
  seller.description,
  ...seller.contact.emails,
  seller.contact.phone,
  seller.contact.whatsapp,
  seller.contact.address,
  ...seller.contact.hours,
  seller.founder.name,
  legal.proprietor,
  ...legal.address.slice(0, 2),
  legal.courts,
  legal.grievanceOfficer.name,
  legal.grievanceOfficer.email,
  legal.grievanceOfficer.phone,
  `free within ${delivery.shipping.freeWithin}`,
  `"addressRegion":"${tax.home.name}"`,
  ...Object.values(theme.colors.accent),
  ...Object.values(theme.colors.brand),
];

/** The words of this shop (or only its names) in a text, with what stands around each. */
export function shopWordsIn(text: string, words = wordsOfShop): string[] {
  return words.flatMap((word) => {
    const at = text.indexOf(word);
    return at === -1
      ? []
      : [`${word}: …${text.slice(Math.max(0, at - 60), at + word.length + 60)}…`];
  });
}

const scripts =
  /<script(?![^>]*application\/ld\+json)[^>]*>.*?<\/script>|<style[^>]*>.*?<\/style>/gsu;
/** What a value becomes that is missing or no text. JSON has `null` for what is not there. */
const nonsense = {
  text: /\b(?:undefined|null|NaN)\b|\[object/gu,
  json: /\b(?:undefined|NaN)\b|\[object/gu,
};

/** Where a page, a mail or a file shows a value that is missing, with what stands around it. Scripts and styles may name such values. */
export function nonsenseIn(file: string, text: string): string[] {
  if (/\.(?:js|css)$/u.test(file)) return [];
  const shown = text.replaceAll(scripts, '');
  const pattern = /\.(?:json|webmanifest)$/u.test(file) ? nonsense.json : nonsense.text;
  return [...shown.matchAll(pattern)].map(
    ({ 0: word, index }) => `${word}: …${shown.slice(Math.max(0, index - 60), index + 60)}…`,
  );
}
