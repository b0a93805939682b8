/** The steps in a browser that gives notifications to installed pages alone. */
export const homeScreenSteps =
  'An iPhone or iPad gives notifications to pages on its home screen alone: press Share, then ‘Add to Home Screen’, open the page from there and turn them on.';
