import { shop as own } from '#shop/shop.ts';

/** Deploys that the live site may have in a month, whoever causes them. Automatic builds keep to it. */
export const deploysPerMonth = own.deploysPerMonth ?? 60;
