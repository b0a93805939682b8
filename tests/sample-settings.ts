// First: it reads the categories before they are replaced here.
import './own-categories.ts';
import { categories } from '#shop/categories.ts';
import { delivery } from '#shop/delivery.ts';
import { seller } from '#shop/seller.ts';
import { shop } from '#shop/shop.ts';
import { sampleCash } from './sample-cash.ts';
import { sampleCategories } from './sample-categories.ts';
import { sampleShop } from './sample-shop.ts';

/*
 * Tests of SQL and endpoints sell, charge and refund with these categories and numbers, whichever shop is under test. Runs before
 * `src/settings` reads the shop. Unit tests use the shop's own, or mock them.
 */
categories.splice(0, categories.length, ...sampleCategories);
const { platformFeeBps, lowStockBelow, shippingLabel, reviews } = sampleShop;
Object.assign(shop, { platformFeeBps, lowStockBelow, shippingLabel, reviews });
delivery.refunds.returnsPlatformFee = true;
delivery.cashOnDelivery = sampleCash;
seller.mails.fromStrangersPerDay = 60;
seller.mails.leftCartAfterHours = 3;
