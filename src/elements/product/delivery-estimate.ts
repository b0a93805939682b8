import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { pinProblem } from '#domain/checkout/address-hints.ts';
import { destinationRefusal } from '#domain/checkout/destination.ts';
import { deliveryWindow, formatDeliveryWindow } from '#domain/checkout/delivery.ts';
import { readPin, stateOfPin, type State } from '#domain/checkout/postal-code.ts';
import { closesCheckout } from '#domain/shop-notice.ts';
import { storePostalCode } from '#services/storage/stored-postal-code.ts';
import { $notice, refreshNotice } from '#stores/shop-notice.ts';

/**
 * Handles the form around it. With a stored PIN code, which the customer did not type just now, nothing is refused and
 * nothing is moved. The shop's own texts (days, free within) are in the element's attributes.
 */
export function showEstimate(element: HTMLElement, kept?: string): void {
  const input = element.querySelector('input');
  const answer = element.querySelector<HTMLElement>('[data-answer]');
  if (!input || !answer) return;
  const pin = readPin(kept ?? input.value);
  const state = pin === null ? null : stateOfPin(pin);
  const problem =
    pin === null
      ? 'Please enter a PIN code: six digits, the first not 0.'
      : (pinProblem(pin) ?? destinationRefusal(pin));
  if (kept !== undefined && problem !== null) return;
  input.ariaInvalid = pin === null ? 'true' : null;
  answer.dataset['tone'] = pin === null ? 'error' : '';
  if (pin === null) input.focus();
  if (pin === null || state === null || problem !== null) {
    answer.textContent = problem;
    return;
  }
  storePostalCode(pin);
  if (kept !== undefined) input.value = pin;
  const show = () => {
    answer.replaceChildren(
      ...estimateFor(element, pin, state).flatMap((line) => [line, document.createElement('br')]),
    );
    const arrival = document.querySelector('[data-arrival]');
    if (arrival) arrival.textContent = `To ${pin}: ${standardDays(element)}`;
  };
  show();
  fetched ??= refreshNotice();
  void fetched.then(show);
}

/** Fetches a notice that begins soon and delays new orders; built pages do not contain it. */
let fetched: Promise<void> | undefined;

function daysOf(processing: string, carriage: string): string {
  const window = deliveryWindow(new Date(), processing, carriage, $notice.get());
  return window === null ? '' : formatDeliveryWindow(window);
}

const standardDays = ({ dataset }: HTMLElement): string =>
  daysOf(dataset['processing'] ?? '', dataset['standard'] ?? '');

function estimateFor({ dataset }: HTMLElement, pin: string, state: State): string[] {
  const {
    processing = '',
    standard = '',
    express = '',
    freeWithin = '',
    expressCharge = '',
  } = dataset;
  const days = (carriage: string): string => daysOf(processing, carriage);
  // '*' says that the cart charges nobody.
  const free = freeWithin === '*' || state.name === freeWithin;
  return [
    `To ${state.name}, ${pin}, if you order ${closesCheckout($notice.get(), indiaCalendarDay(new Date())) ? 'when checkout opens' : 'now'}:`,
    `Standard: ${days(standard)}${free ? ', free' : ''}.`,
    `Express, on request: ${days(express)}, ${expressCharge}.`,
    ...(free ? [] : ['The Order Summary shows the charge of standard shipping.']),
  ];
}
