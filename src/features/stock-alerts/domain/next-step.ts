/** The outcome of a request for news of a sold-out product. */
export const stockAlertNextStep =
  'You get one e-mail when it is back. We may ask you by e-mail to confirm your address first.';
