import { indiaCalendarDay, isoDay } from '#domain/calendar-day.ts';
import type { ShopFolder } from '#shop-schema/shop-schema.ts';
import { categoryOf } from './category-of-words.ts';
import type { ShopAnswers } from './shop-answers.ts';
import { themeOfColour } from './theme-of-colour.ts';

const imitationJewellery = { hsn: '7117', rateBps: 300 };
const watches = { hsn: '9102', rateBps: 1_800 };

/** 'Meera Jewels' → 'MJ'. */
function prefixOf(name: string): string {
  const initials =
    name
      .toUpperCase()
      .match(/\b[A-Z0-9]/gu)
      ?.join('')
      .slice(0, 3) ?? '';
  return initials === '' ? 'S' : initials;
}

/** A value that customers read and that nobody was asked for; a production build refuses it. */
const marked = (text: string): string => (text.includes('(replace)') ? text : `${text} (replace)`);

/** The limit of `seller.description`, in characters. */
const maxDescription = 200;

/** 'Rings, Earrings and more by Meera Jewels, …': as many categories as the description has room for, at least one. */
function describeShop(labels: readonly string[], rest: string): string {
  for (let shown = labels.length; shown > 1; shown -= 1) {
    const more = shown < labels.length ? ' and more' : '';
    const text = `${labels.slice(0, shown).join(', ')}${more} ${rest}`;
    if (text.length <= maxDescription) return text;
  }
  return `${labels[0] ?? 'Jewellery'} ${rest}`;
}

/** The settings of a new shop: its owner's answers, and for the rest what `base` has. */
export function settingsOfAnswers(base: ShopFolder, answers: ShopAnswers): ShopFolder {
  const { name, state, gstin, mail, phone } = answers;
  const categories = answers.categories.map(categoryOf);
  const prefix = prefixOf(name);
  // Without a GSTIN a seller may send within the own state alone.
  const area = gstin === null ? state.name : 'India';
  return {
    shop: {
      ...base.shop,
      name,
      supportEmail: mail,
      // A fee that every customer has to pay belongs into the price (CCPA, drip pricing).
      platformFeeBps: 0,
      prefixes: { order: prefix, invoice: prefix, creditNote: prefix === 'CN' ? 'CR' : 'CN' },
      reviews: { shown: false, stars: 5, count: 0 },
    },
    seller: {
      ...base.seller,
      mails: { fromStrangersPerDay: base.seller.mails.fromStrangersPerDay },
      legalName: name,
      tagline: 'Jewellery, made for every day',
      description: describeShop(
        categories.map(({ label }) => label),
        `by ${name}, sent all over ${area}.`,
      ),
      contact: {
        ...base.seller.contact,
        emails: [mail],
        phone,
        whatsapp: answers.whatsapp,
        hours: base.seller.contact.hours.map(marked),
        address: `${state.name}, India`,
      },
      founder: { name: 'Example Owner (replace)', role: 'Founder' },
    },
    legal: {
      ...base.legal,
      address: [...answers.address, `${state.name}, India`],
      grievanceOfficer: { ...base.legal.grievanceOfficer, email: mail, phone },
      courts: state.name,
      // The texts of a new shop are made today.
      policiesUpdated: isoDay(indiaCalendarDay(new Date())),
    },
    delivery: {
      ...base.delivery,
      shipping: { ...base.delivery.shipping, freeWithin: state.name },
    },
    tax: {
      ...base.tax,
      home: state,
      registration:
        gstin === null
          ? { kind: 'unregistered', sendsToOtherStates: false }
          : { kind: 'regular', gstin },
      byCategory: Object.fromEntries(
        categories.map(({ slug, wornOn }) => [
          slug,
          wornOn === 'watch' ? watches : imitationJewellery,
        ]),
      ),
    },
    categories,
    search: {
      ...base.search,
      // The demo shop's words for kinds that this shop sells, too; what names the demo's own products does not come along.
      synonyms: base.search.synonyms.flatMap(({ words, within }) =>
        categories.some(({ slug }) => slug === within) ? [{ words, within }] : [],
      ),
    },
    theme: themeOfColour(base.theme, answers.colour),
    mails: base.mails,
  };
}
