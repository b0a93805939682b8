import { Icon } from '../shared/Icon.tsx';

export function EmptyCart() {
  return (
    <div className="empty-state">
      <span className="avatar bg-paper text-gold-700" aria-hidden="true">
        <Icon name="bag" />
      </span>
      <h1 className="page-title">Your cart is empty</h1>
      <p className="lead">Every piece waits where you left it. Have a look around; what you choose is kept here.</p>
      <a href="/shop" className="btn btn-primary">
        Continue Shopping
      </a>
    </div>
  );
}
