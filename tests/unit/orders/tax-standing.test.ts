import { describe, expect, test } from 'vitest';
import { addressQuestions, postalCodeHint } from '#domain/checkout/address-hints.ts';
import { deliveryArea, destinationRefusal } from '#domain/checkout/destination.ts';
import { customerDetailsSchema, parseForm } from '#domain/checkout/forms.ts';
import { orderDetailsSchema } from '#domain/admin/orders/order-details.ts';
import { invoiceDocumentSchema } from '#domain/invoice/invoice-document.ts';
import { invoiceDocument } from '#domain/invoice/invoice.ts';
import { documentWords, feeLabel, inclGst, taxStanding } from '#domain/tax-standing.ts';
import type { Registration } from '#shop-schema/tax-schema.ts';
import { paidOrder } from './paid-order.ts';
import { typedDetails } from '#tests/unit/checkout/addresses.ts';
import { eachRow } from '#tests/each-row.ts';
import { registerAs, useSampleTax } from '#tests/sample-tax.ts';

useSampleTax();

const gstin = '32AABCU9603R1ZW';
const regular: Registration = { kind: 'regular', gstin };
const composition: Registration = { kind: 'composition', gstin };
const unregistered: Registration = { kind: 'unregistered', sendsToOtherStates: false };
const maker: Registration = { kind: 'unregistered', sendsToOtherStates: true };

const errorOf = (postalCode: string): string | undefined => {
  const result = parseForm(customerDetailsSchema, { ...typedDetails, postalCode });
  return result.ok ? undefined : result.errors.postalCode;
};

test('a registration decides the tax, the GSTIN, the labels and where the shop sends', () =>
  eachRow(
    [
      [regular, true, gstin, 'Platform Fee (incl. GST)', 'India'],
      [composition, false, gstin, 'Platform Fee', 'Kerala'],
      [unregistered, false, null, 'Platform Fee', 'Kerala'],
      [maker, false, null, 'Platform Fee', 'India'],
    ] as const,
    ([registration, collectsTax, number, label, area]) => {
      expect(taxStanding(registration)).toEqual({
        collectsTax,
        gstin: number,
        sendsToOtherStates: area === 'India',
      });
      expect([feeLabel(registration), inclGst(registration)]).toEqual([
        label,
        collectsTax ? ' (incl. GST)' : '',
      ]);
      expect(deliveryArea(registration)).toBe(area);
    },
  ));

describe('a seller who may not send to another state', () => {
  test('refuses its PIN codes, and those of no state', () =>
    eachRow(
      [
        ['682001', null],
        ['682 016', null],
        ['673310', 'We send within Kerala only, and this PIN code is in Puducherry.'],
        ['560001', 'We send within Kerala only, and this PIN code is in Karnataka.'],
        ['900001', 'We send within Kerala only, and this PIN code is not there. Please check it.'],
        ['68201', 'We send within Kerala only, and this PIN code is not there. Please check it.'],
      ],
      ([pin, refusal]) => {
        for (const registration of [composition, unregistered])
          expect(destinationRefusal(pin, registration)).toBe(refusal);
        for (const registration of [regular, maker])
          expect(destinationRefusal(pin, registration)).toBeNull();
      },
    ));

  test('says so in the form, and on every door of the admin', () => {
    expect([errorOf('560001'), postalCodeHint('560001')]).toEqual([undefined, 'Karnataka']);
    registerAs(unregistered);
    const refusal = 'We send within Kerala only, and this PIN code is in Karnataka.';
    expect([errorOf('560001'), postalCodeHint('560001')]).toEqual([refusal, refusal]);
    expect([errorOf('682001'), errorOf('56')]).toEqual([
      undefined,
      'Postal code must be at least 4 characters',
    ]);
    expect(
      orderDetailsSchema.safeParse({ postalCode: { from: '682001', to: '560001' } }).error?.issues,
    ).toMatchObject([{ message: refusal }]);
    // The value of before is only compared.
    expect(
      orderDetailsSchema.safeParse({ postalCode: { from: '560001', to: '682001' } }).success,
    ).toBe(true);
  });
});

test('a GSTIN of another state than the PIN code is asked about, with what it means', () => {
  const ask = (postalCode: string, number: string) =>
    addressQuestions({ postalCode, gstin: number });
  expect(ask('682001', '27AAPFU0939F1ZV')).toEqual({
    gstin:
      'This GSTIN is of Maharashtra, but the parcel goes to Kerala. The place of supply is where the goods are delivered, so the invoice has the GST of a sale to Kerala, which you may not be able to claim. Use it all the same?',
  });
  expect(ask('682001', gstin)).toEqual({});
  expect(ask('682001', '')).toEqual({});
  expect(ask('400001', '27AAPFU0939F1ZV')).toEqual({});
  registerAs(maker);
  expect(ask('682001', '27AAPFU0939F1ZV')).toEqual({});
});

test('a bill of supply has no tax and no GSTIN of the buyer, and a tax invoice says nothing of its kind', () => {
  const order = paidOrder([{ price: 1_030, quantity: 1, category: 'rings' }], {
    customer_gstin: '27AAPFU0939F1ZV',
  });
  for (const [registration, kind, number] of [
    [composition, 'composition', gstin],
    [unregistered, 'unregistered', ''],
  ] as const) {
    const document = invoiceDocument(order, {}, registration);
    expect(invoiceDocumentSchema.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      untaxed: kind,
      seller: { gstin: number },
      buyer: { gstin: null },
      lines: [
        { rateBps: 0, grossPaise: 103_000, taxablePaise: 103_000, cgstPaise: 0, igstPaise: 0 },
        { rateBps: 0, grossPaise: 2_431, taxablePaise: 2_431 },
      ],
    });
    expect(documentWords(document.untaxed)).toMatchObject({ title: 'Bill of supply' });
  }
  const taxed = invoiceDocument(order, {}, regular);
  expect(taxed).not.toHaveProperty('untaxed');
  expect(taxed.lines[0]).toMatchObject({ rateBps: 300, cgstPaise: 1_500 });
});
