import { useState } from 'react';
import {
  addressBlock,
  mailLink,
  telLink,
  whatsappLink,
} from '#domain/admin/orders/contact-links.ts';
import type { AskableDetail } from '#domain/checkout/address-hints.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { shop } from '#settings/shop.ts';
import { showToast } from '#stores/toasts.ts';
import { DetailsDialog } from '#islands/admin/orders/dialogs/DetailsDialog.tsx';
import type { OrderActionsProps } from './OrderActions.tsx';
import { DetailPanel } from './DetailPanel.tsx';

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('Address copied', { tone: 'success' });
  } catch {
    showToast('Copy failed', {
      description: 'Mark the address and copy it by hand.',
      tone: 'destructive',
    });
  }
}

const askedText: Readonly<Record<AskableDetail, string>> = {
  postal_code: 'The checkout asked the customer about this PIN code, and they kept it.',
  phone: 'The checkout asked the customer about this phone number, and they kept it.',
};

const corrections = {
  details: {
    title: 'Correct the details',
    hint: 'The old values stay in the order’s history. The customer is not notified.',
    fields: [
      'name',
      'phone',
      'address',
      'city',
      'postalCode',
      'recipientName',
      'recipientPhone',
      'gstin',
    ],
  },
  note: {
    title: 'Your note',
    hint: 'Only for you: the customer never sees it.',
    fields: ['adminNote'],
  },
} as const;

/** The address as one block, the ways to reach the customer, and the admin's corrections and note. */
export function DeliverTo({ order, onOrder, onUnknownOutcome }: OrderActionsProps) {
  const [dialog, setDialog] = useState<keyof typeof corrections | null>(null);
  const close = () => {
    setDialog(null);
  };
  const done = (next: AdminOrder) => {
    close();
    onOrder(next);
  };
  const isSent = order.fulfilment !== 'new' && order.fulfilment !== 'packed';
  const block = addressBlock(order);
  const about = `Your order ${String(order.id)} at ${shop.name}`;
  const links = [
    ['Call', telLink(order.customerPhone)],
    ['WhatsApp', whatsappLink(order.customerPhone, `${about}: `)],
    ['E-mail', mailLink(order.customerEmail, about)],
  ] as const;
  return (
    <DetailPanel title={order.handedOver ? 'Handed over to' : 'Deliver to'}>
      <address className="mt-3 break-words whitespace-pre-line not-italic select-all">
        {block || 'No address'}
      </address>
      {order.recipientName === '' && order.recipientPhone === '' ? null : (
        <p className="mt-1 wrap-anywhere">
          A gift from {order.customerName}, phone {order.customerPhone}
        </p>
      )}
      {order.customerEmail === '' ? null : (
        <p className="mt-1 text-sm wrap-anywhere text-ink-500">{order.customerEmail}</p>
      )}
      {order.askedAbout.map((detail) => (
        <p key={detail} className="notice mt-3">
          {askedText[detail]}
        </p>
      ))}
      {order.notes.trim() === '' ? null : (
        <p className="notice mt-3 break-words whitespace-pre-line">
          <span className="block text-sm font-medium">Note from the customer</span>
          {order.notes}
        </p>
      )}
      {order.giftNote === '' ? null : (
        <p className="notice mt-3 break-words whitespace-pre-line">
          <span className="block text-sm font-medium">Gift note, printed on the slip</span>
          {order.giftNote}
        </p>
      )}
      {order.adminNote === '' ? null : (
        <p className="notice mt-3 break-words whitespace-pre-line">
          <span className="block text-sm font-medium">Your note</span>
          {order.adminNote}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-secondary btn-small"
          onClick={() => void copy(block)}
        >
          Copy address
        </button>
        {links.map(([name, href]) =>
          href === null ? null : (
            <a
              key={name}
              className="btn btn-secondary btn-small"
              href={href}
              {...(href.startsWith('https:')
                ? { target: '_blank', rel: 'noopener noreferrer' }
                : {})}
            >
              {name}
              <span className="visually-hidden"> {order.customerName}</span>
            </a>
          ),
        )}
        {isSent ? null : (
          <button
            type="button"
            className="btn btn-quiet btn-small"
            onClick={() => setDialog('details')}
          >
            Correct details
          </button>
        )}
        <button type="button" className="btn btn-quiet btn-small" onClick={() => setDialog('note')}>
          {order.adminNote === '' ? 'Add a note' : 'Change note'}
        </button>
      </div>
      {dialog === null ? null : (
        <DetailsDialog
          key={dialog}
          open
          {...corrections[dialog]}
          {...{ order, onClose: close, onDone: done, onUnknownOutcome }}
        />
      )}
    </DetailPanel>
  );
}
