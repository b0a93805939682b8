/** The text shown after a request for a stock alert. */
export const stockAlertNextStep =
  'You get one e-mail when it is back. We may ask you by e-mail to confirm your address first.';
