import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPin, stateOfPin, states } from '../../../src/domain/checkout/postal-code.ts';
import { eachRow } from '../../each-row.ts';

const anyPin = fc.integer({ min: 100_000, max: 999_999 }).map(String);

describe('a PIN code', () => {
  test('is read whatever its spaces', () =>
    eachRow(['682016', ' 682016 ', '682 016', '6 8 2 0 1 6', '682\u00A0016'], (text) => {
      expect(readPin(text)).toBe('682016');
    }));

  test('is not read from anything but six digits that begin with 1 to 9', () =>
    eachRow(
      [
        '',
        '68201',
        '6820166',
        '082016',
        '68201a',
        '682-016',
        '६८२०१६',
        '-682016',
        '6.8e5',
        '682016 682016',
      ],
      (text) => {
        expect(readPin(text)).toBeNull();
      },
    ));

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

  test('is what was given, without spaces, or nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([null, text.replace(/\s/gu, '')]).toContain(readPin(text));
      }),
    );
  });
});

describe('the state of a PIN code', () => {
  test('is that of its district, with the code for GST', () =>
    eachRow(
      [
        ['110001', 'Delhi', '07'],
        ['122001', 'Haryana', '06'],
        ['141001', 'Punjab', '03'],
        ['160017', 'Chandigarh', '04'],
        ['160101', 'Chandigarh', '04'],
        ['160062', 'Punjab', '03'],
        ['171001', 'Himachal Pradesh', '02'],
        ['180001', 'Jammu and Kashmir', '01'],
        ['190001', 'Jammu and Kashmir', '01'],
        ['194101', 'Ladakh', '38'],
        ['201301', 'Uttar Pradesh', '09'],
        ['244001', 'Uttar Pradesh', '09'],
        ['244713', 'Uttarakhand', '05'],
        ['246701', 'Uttar Pradesh', '09'],
        ['246149', 'Uttarakhand', '05'],
        ['247001', 'Uttar Pradesh', '09'],
        ['247667', 'Uttarakhand', '05'],
        ['248001', 'Uttarakhand', '05'],
        ['249401', 'Uttarakhand', '05'],
        ['262001', 'Uttar Pradesh', '09'],
        ['262501', 'Uttarakhand', '05'],
        ['263001', 'Uttarakhand', '05'],
        ['302001', 'Rajasthan', '08'],
        ['380001', 'Gujarat', '24'],
        ['362520', 'Dadra and Nagar Haveli and Daman and Diu', '26'],
        ['396001', 'Gujarat', '24'],
        ['396210', 'Dadra and Nagar Haveli and Daman and Diu', '26'],
        ['396230', 'Dadra and Nagar Haveli and Daman and Diu', '26'],
        ['400001', 'Maharashtra', '27'],
        ['403001', 'Goa', '30'],
        ['462001', 'Madhya Pradesh', '23'],
        ['492001', 'Chhattisgarh', '22'],
        ['500001', 'Telangana', '36'],
        ['520001', 'Andhra Pradesh', '37'],
        ['533464', 'Puducherry', '34'],
        ['560001', 'Karnataka', '29'],
        ['600001', 'Tamil Nadu', '33'],
        ['605001', 'Puducherry', '34'],
        ['605602', 'Tamil Nadu', '33'],
        ['609602', 'Puducherry', '34'],
        ['670001', 'Kerala', '32'],
        ['673310', 'Puducherry', '34'],
        ['673311', 'Kerala', '32'],
        ['682016', 'Kerala', '32'],
        ['682511', 'Kerala', '32'],
        ['682551', 'Lakshadweep', '31'],
        ['682559', 'Lakshadweep', '31'],
        ['695001', 'Kerala', '32'],
        ['700001', 'West Bengal', '19'],
        ['734001', 'West Bengal', '19'],
        ['737101', 'Sikkim', '11'],
        ['744101', 'Andaman and Nicobar Islands', '35'],
        ['751001', 'Odisha', '21'],
        ['781001', 'Assam', '18'],
        ['791111', 'Arunachal Pradesh', '12'],
        ['793001', 'Meghalaya', '17'],
        ['795001', 'Manipur', '14'],
        ['796001', 'Mizoram', '15'],
        ['797001', 'Nagaland', '13'],
        ['799001', 'Tripura', '16'],
        ['800001', 'Bihar', '10'],
        ['814112', 'Jharkhand', '20'],
        ['814131', 'Bihar', '10'],
        ['823001', 'Bihar', '10'],
        ['826001', 'Jharkhand', '20'],
        ['834001', 'Jharkhand', '20'],
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
