import { whatsappLink } from '#domain/admin/orders/contact-links.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { paymentPath } from '#domain/checkout/payment-link.ts';
import { indiaMoment } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { shop } from '#settings/shop.ts';
import { showToast } from '#stores/toasts.ts';
import { DetailPanel } from '#islands/admin/orders/detail/DetailPanel.tsx';

async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    showToast('Link copied', { tone: 'success' });
  } catch {
    showToast('Copy failed', {
      description: 'Mark the link and copy it by hand.',
      tone: 'destructive',
    });
  }
}

/** The link where the customer pays this order, while it waits to be paid. */
export function OrderPanel({ order }: { order: AdminOrder }) {
  if (order.payLink === null) return null;
  const { token, until } = order.payLink;
  const link = new URL(paymentPath({ orderId: order.id, token }), window.location.origin).href;
  const text = `Hello ${order.customerName}, your order ${String(order.id)} at ${shop.name} comes to ${formatRupees(order.totalPaise)}. Please pay it here until ${indiaMoment(until)}: ${link}`;
  const whatsapp = whatsappLink(order.customerPhone, text);
  return (
    <div className="mb-5">
      <DetailPanel title="Payment link">
        <p className="mt-3">
          The products are held until {indiaMoment(until)}. After that they are free again.
        </p>
        <p className="mt-2 text-sm break-all select-all">{link}</p>
        <div className="mt-4 flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-secondary btn-small"
            onClick={() => void copy(link)}
          >
            Copy link
          </button>
          {whatsapp === null ? null : (
            <a
              className="btn btn-secondary btn-small"
              href={whatsapp}
              target="_blank"
              rel="noopener noreferrer"
            >
              Send by WhatsApp
            </a>
          )}
        </div>
      </DetailPanel>
    </div>
  );
}
