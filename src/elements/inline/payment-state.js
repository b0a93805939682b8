// @ts-check
// Runs before the first paint, so that no unconfirmed order is called placed.
{
  const query = new URLSearchParams(location.search);
  const pending = query.has('payment') ? 'refused' : 'pending';
  const shown = query.get('status') === 'pending' ? pending : 'placed';
  for (const part of document.querySelectorAll('[data-payment]'))
    part.toggleAttribute('hidden', part.getAttribute('data-payment') !== shown);
}
