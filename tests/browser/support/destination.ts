import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import { tax } from '#settings/tax.ts';

/** Whether the shop under test may send to other states; if not, its checkout refuses their PIN codes. */
export const { sendsToOtherStates } = taxStanding();

/** The PIN codes of the shop's own state that end in 0001 and 0002, for a seller who is bound to it. */
function ownPins(): { pin: string; otherPin: string } {
  for (let district = 110; district <= 855; district += 1) {
    const pin = `${String(district)}001`;
    if (stateOfPin(pin)?.gstCode === tax.home.gstCode)
      return { pin, otherPin: `${String(district)}002` };
  }
  throw new Error(`No PIN code of ${tax.home.name}`);
}

/** Two PIN codes that the shop sends to, and their states: Thrissur and Bengaluru, or two of the seller's own state. */
export const { pin, otherPin } = sendsToOtherStates
  ? { pin: '680001', otherPin: '560001' }
  : ownPins();
const stateAt = (code: string): { name: string; gstCode: string } => {
  const state = stateOfPin(code);
  if (state === null) throw new Error(`${code} is in no state`);
  return state;
};
export const state = stateAt(pin);
export const otherState = stateAt(otherPin);
