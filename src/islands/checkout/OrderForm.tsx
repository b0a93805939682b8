import type { Cart } from '#domain/cart/cart.ts';
import { orderFormFields, orderFormHoneypot, orderFormName } from '#domain/checkout/order-form.ts';
import * as environment from '#services/environment.ts';
import { describeProducts } from './order-form-fields.ts';

const frame = 'order-form-frame';

/**
 * The form that the form-collection service knows orders by: Netlify finds it in the built page. Nobody sees it;
 * an order's fields are posted in its name by `services/forms`, and without scripts it would post into the frame.
 */
export function OrderForm({ cart }: { cart: Cart }) {
  return (
    <div hidden>
      <form
        name={orderFormName}
        method="post"
        encType="multipart/form-data"
        action={environment.formEndpoint}
        target={frame}
        data-netlify="true"
        data-netlify-honeypot={orderFormHoneypot}
      >
        <input type="hidden" name="form-name" value={orderFormName} />
        <input type="hidden" name={orderFormHoneypot} />
        {orderFormFields.map((field) => (
          <input
            key={field}
            type="hidden"
            name={field}
            value={field === 'products' ? describeProducts(cart) : ''}
          />
        ))}
      </form>
      <iframe name={frame} title="Order form" />
    </div>
  );
}
