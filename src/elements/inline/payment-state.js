// @ts-check
// Runs before the first paint, so that no unconfirmed order is called placed, and nobody is thanked for none.
{
  const query = new URLSearchParams(location.search);
  const pending = query.has('payment') ? 'refused' : 'pending';
  const placed = ['order_id', 'orderId', 'payment_id'].some((name) => query.has(name));
  const shown = query.get('status') === 'pending' ? pending : placed ? 'placed' : 'none';
  for (const part of document.querySelectorAll('[data-payment]'))
    part.toggleAttribute('hidden', part.getAttribute('data-payment') !== shown);
}
