/* The bag's number answers when it grows. Loaded with the first interaction. */
import { $itemCount } from '../../stores/cart.ts';
import { moveBriefly } from './short-motion.ts';

$itemCount.listen((count, before) => {
  if (count > (before ?? count))
    moveBriefly(document.querySelector('[data-cart-count]'), { scale: [1.6, 1] });
});
