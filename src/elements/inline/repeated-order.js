// @ts-check
// Runs before the first paint, so that no order is called placed a second time.
if (new URLSearchParams(location.search).has('repeated'))
  for (const part of document.querySelectorAll('[data-order]'))
    part.toggleAttribute('hidden', part.getAttribute('data-order') !== 'repeated');
