import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cityIn } from '#domain/checkout/city-of-pin.ts';
import { states, stateOfPin } from '#domain/checkout/postal-code.ts';
import { fetchCityOfPin } from '#services/checkout/city-of-pin.ts';
import { eachRow } from '#tests/each-row.ts';

const folder = new URL('../../../public/pins/', import.meta.url);
const files = (await readdir(folder)).toSorted();
const readText = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
const readPins = async (name: string): Promise<Record<string, string>> =>
  JSON.parse(await readText(name)) as Record<string, string>;
const cityOf = async (pin: string): Promise<string | null> =>
  cityIn(await readPins(`${pin.slice(0, 2)}.json`), pin);

describe('the directory', () => {
  test('knows the towns by the names they have today', () =>
    eachRow(
      [
        ['682001', 'Kochi'],
        ['560001', 'Bengaluru'],
        ['122001', 'Gurugram'],
        ['431001', 'Chhatrapati Sambhajinagar'],
        ['110001', 'Delhi'],
        ['400001', 'Mumbai'],
      ] as const,
      async ([pin, city]) => {
        expect(await cityOf(pin), pin).toBe(city);
      },
    ));

  test('returns nothing for PIN codes without a known town', () =>
    eachRow(['683101', '744301'], async (pin) => {
      expect(await cityOf(pin), pin).toBeNull();
    }));

  test('has a file for every first two digits of a state, none above 12 KB compressed, and each PIN code once', async () => {
    const wanted = Array.from({ length: 90 }, (_, index) => String(index + 10)).filter((prefix) =>
      Array.from({ length: 10_000 }, (_, rest) => prefix + String(rest).padStart(4, '0')).some(
        (pin) => stateOfPin(pin) !== null,
      ),
    );
    expect(files).toEqual(wanted.map((prefix) => `${prefix}.json`));
    const stateNames = new Set(states.map(({ name }) => name));
    for (const file of files) {
      const text = await readText(file);
      expect(gzipSync(text).byteLength).toBeLessThan(12 * 1024);
      const towns = JSON.parse(text) as Record<string, string>;
      const pins = Object.values(towns).flatMap((endings) => endings.split(' '));
      expect(new Set(pins).size).toBe(pins.length);
      for (const ending of pins) {
        expect(ending).toMatch(/^\d{4}$/u);
        expect(stateNames).toContain(stateOfPin(file.slice(0, 2) + ending)?.name);
      }
    }
  });
});

describe('the look-up', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const answerWith = (answer: () => Promise<Response>): ReturnType<typeof vi.fn> => {
    const fetching = vi.fn(answer);
    vi.stubGlobal('fetch', fetching);
    return fetching;
  };

  test('asks for the file of a whole PIN code of a state, and of nothing else', async () => {
    const fetching = answerWith(async () => Response.json(await readPins('68.json')));
    expect(await fetchCityOfPin('682 001')).toBe('Kochi');
    expect(fetching.mock.calls[0]?.[0]).toBe('/pins/68.json');
    for (const text of ['', '68200', '6820011', '900001', '290001', 'Kochi'])
      expect(await fetchCityOfPin(text)).toBeNull();
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  test('is quiet without a connection and about an answer that is no directory', () =>
    eachRow(
      [
        () => Promise.reject(new TypeError('Failed to fetch')),
        () => Promise.resolve(new Response('Not found', { status: 404 })),
        () => Promise.resolve(new Response('<!doctype html>')),
        () => Promise.resolve(Response.json({ Kochi: 2001 })),
      ],
      async (answer) => {
        vi.spyOn(console, 'info').mockReturnValue(undefined);
        answerWith(answer);
        expect(await fetchCityOfPin('682001')).toBeNull();
      },
    ));
});
