/* The bag's number answers when it grows. Loaded with the first interaction. */
import { $cart } from '../../stores/cart.ts';
import { moveBriefly } from './short-motion.ts';

$cart.listen(({ itemCount }, before) => {
  if (itemCount > (before?.itemCount ?? itemCount))
    moveBriefly(document.querySelector('[data-cart-count]'), { scale: [1.6, 1] });
});
