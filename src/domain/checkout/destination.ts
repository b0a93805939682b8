import type { Registration } from '#shop-schema/tax-schema.ts';
import { tax } from '#settings/tax.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import { stateOfPin } from './postal-code.ts';

/** Where the shop sends, to stand after 'within': 'India', or its own state. */
export const deliveryArea = (registration?: Registration): string =>
  taxStanding(registration).sendsToOtherStates ? 'India' : tax.home.name;

/**
 * Why the shop may not send to a PIN code; null when it may. A seller who sends within a state must know that a PIN code is there,
 * so one of no state is refused, too.
 */
export function destinationRefusal(pin: string, registration?: Registration): string | null {
  if (taxStanding(registration).sendsToOtherStates) return null;
  const state = stateOfPin(pin);
  if (state?.gstCode === tax.home.gstCode) return null;
  return state === null
    ? `We send within ${tax.home.name} only, and this PIN code is not there. Please check it.`
    : `We send within ${tax.home.name} only, and this PIN code is in ${state.name}.`;
}
