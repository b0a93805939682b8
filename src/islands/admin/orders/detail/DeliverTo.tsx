import { addressBlock, mailLink, telLink, whatsappLink } from '../../../../domain/admin/contact-links.ts';
import type { AdminOrder } from '../../../../domain/admin/orders.ts';
import { shop } from '../../../../shop.config.ts';
import { showToast } from '../../../../stores/toasts.ts';
import { DetailPanel } from './DetailPanel.tsx';

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('Address copied', { tone: 'success' });
  } catch {
    showToast('Copy failed', { description: 'Mark the address and copy it by hand.', tone: 'destructive' });
  }
}

/** The address as one block, and the ways to reach the buyer. */
export function DeliverTo({ order }: { order: AdminOrder }) {
  const block = addressBlock(order);
  const about = `Your order ${String(order.id)} at ${shop.name}`;
  const links = [
    ['Call', telLink(order.customerPhone)],
    ['WhatsApp', whatsappLink(order.customerPhone, `${about}: `)],
    ['E-mail', mailLink(order.customerEmail, about)],
  ] as const;
  return (
    <DetailPanel title="Deliver to">
      <address className="mt-3 break-words whitespace-pre-line not-italic select-all">{block || 'No address'}</address>
      {order.customerEmail === '' ? null : <p className="mt-1 text-sm break-words text-ink-500">{order.customerEmail}</p>}
      {order.notes.trim() === '' ? null : (
        <p className="notice mt-3 break-words whitespace-pre-line">
          <span className="block text-sm font-medium">Note from the buyer</span>
          {order.notes}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" className="btn btn-secondary btn-small" onClick={() => void copy(block)}>
          Copy address
        </button>
        {links.map(([name, href]) =>
          href === null ? null : (
            <a
              key={name}
              className="btn btn-secondary btn-small"
              href={href}
              {...(href.startsWith('https:') ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
            >
              {name}
              <span className="visually-hidden"> {order.customerName}</span>
            </a>
          ),
        )}
      </div>
    </DetailPanel>
  );
}
