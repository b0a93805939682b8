import * as z from 'zod/mini';
import { cityQuestion, type EnteredPlace } from '#domain/checkout/address-hints.ts';
import { cityIn } from '#domain/checkout/city-of-pin.ts';
import { readPin, stateOfPin } from '#domain/checkout/postal-code.ts';
import { timeLimit } from '#services/time-limit.ts';

const timeoutMs = 5_000;
const fileSchema = z.record(z.string(), z.string());

/**
 * The town that a PIN code is delivered in, from the static file of its first two digits (about 1 KB). Null when the directory does
 * not tell, and without a connection: the customer types the city then.
 */
export async function fetchCityOfPin(text: string): Promise<string | null> {
  const pin = readPin(text);
  if (pin === null || stateOfPin(pin) === null) return null;
  try {
    const signal = timeLimit(timeoutMs);
    const response = await fetch(`/pins/${pin.slice(0, 2)}.json`, { signal });
    return response.ok ? cityIn(fileSchema.parse(await response.json()), pin) : null;
  } catch (error) {
    console.info('No city for this PIN code', error);
    return null;
  }
}

/** The question about a city that stayed while its PIN code changed, for `useForm().ask`; undefined when there is none. */
export async function askAboutCity(
  now: EnteredPlace,
  entered: EnteredPlace,
): Promise<string | undefined> {
  // Asks the directory only where the answer may matter.
  if (cityQuestion(now, entered, '?') === null) return undefined;
  return cityQuestion(now, entered, await fetchCityOfPin(now.postalCode)) ?? undefined;
}
