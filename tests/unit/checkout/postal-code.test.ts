import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPin, stateOfPin, states } from '#domain/checkout/postal-code.ts';
import { eachRow } from '#tests/each-row.ts';

const anyPin = fc.integer({ min: 100_000, max: 999_999 }).map(String);

describe('a PIN code', () => {
  test('is not read from anything but six digits that begin with 1 to 9', () =>
    eachRow(['', '68201', '6820166', '082016', '68201a', '682-016', '६८२०१६', '6.8e5'], (text) => {
      expect(readPin(text)).toBeNull();
    }));

  test('is read the same however it is spaced', () => {
    fc.assert(
      fc.property(
        anyPin,
        fc.array(fc.constantFrom('', ' ', '  ', '\u00A0'), { minLength: 7, maxLength: 7 }),
        (pin, gaps) => {
          expect(
            readPin(gaps.map((gap, index) => gap + pin.slice(index, index + 1)).join('')),
          ).toBe(pin);
        },
      ),
    );
  });
});

describe('the state of a PIN code', () => {
  test('is that of its district, with the code for GST', () =>
    eachRow(
      [
        ['160017', 'Chandigarh', '04'],
        ['160062', 'Punjab', '03'],
        ['190001', 'Jammu and Kashmir', '01'],
        ['194101', 'Ladakh', '38'],
        ['244713', 'Uttarakhand', '05'],
        ['246149', 'Uttarakhand', '05'],
        ['247001', 'Uttar Pradesh', '09'],
        ['247667', 'Uttarakhand', '05'],
        ['262501', 'Uttarakhand', '05'],
        ['362520', 'Dadra and Nagar Haveli and Daman and Diu', '26'],
        ['396001', 'Gujarat', '24'],
        ['396210', 'Dadra and Nagar Haveli and Daman and Diu', '26'],
        ['400001', 'Maharashtra', '27'],
        ['403001', 'Goa', '30'],
        ['533464', 'Puducherry', '34'],
        ['560001', 'Karnataka', '29'],
        ['605602', 'Tamil Nadu', '33'],
        ['609602', 'Puducherry', '34'],
        ['670001', 'Kerala', '32'],
        ['673310', 'Puducherry', '34'],
        ['673311', 'Kerala', '32'],
        ['682016', 'Kerala', '32'],
        ['682551', 'Lakshadweep', '31'],
        ['734001', 'West Bengal', '19'],
        ['744101', 'Andaman and Nicobar Islands', '35'],
        ['814112', 'Jharkhand', '20'],
        ['814131', 'Bihar', '10'],
      ],
      ([pin, name, gstCode]) => {
        expect(stateOfPin(pin)).toEqual({ name, gstCode });
      },
    ));

  test('is none for codes that are not given out', () =>
    eachRow(
      ['900001', '999999', '290001', '350001', '540001', '655001', '012345', '68201', ''],
      (pin) => {
        expect(stateOfPin(pin)).toBeNull();
      },
    ));

  test('is one of the 36, each with its own two-digit code, and each is reached by some PIN code', () => {
    expect(states).toHaveLength(36);
    expect(new Set(states.map((state) => state.gstCode)).size).toBe(36);
    const reached = new Set<string>();
    for (let pin = 100_000; pin < 1_000_000; pin += 1) {
      const state = stateOfPin(String(pin));
      if (state !== null) reached.add(state.gstCode);
    }
    expect([...reached].sort()).toEqual(states.map((state) => state.gstCode));
  });

  test('is Kerala from 670000 to 699999 alone, but for Mahe and Lakshadweep', () => {
    fc.assert(
      fc.property(anyPin, (pin) => {
        const elsewhere = pin === '673310' || pin.startsWith('68255');
        expect(stateOfPin(pin)?.gstCode === '32').toBe(
          pin >= '670000' && pin <= '699999' && !elsewhere,
        );
      }),
      {
        numRuns: 1_000,
        examples: [['673310'], ['673309'], ['682550'], ['682549'], ['669999'], ['700000']],
      },
    );
  });
});
