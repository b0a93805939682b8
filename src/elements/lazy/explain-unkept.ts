import { unkeptWords } from '#domain/unkept.ts';
import { showToast } from '#stores/toasts.ts';

/** Says that this browser would forget a product on the next page, and offers the order by WhatsApp, in the chat of the footer. */
export function explainUnkept(title: string, { id, name }: { id: string; name: string }): void {
  const description = document.createDocumentFragment();
  description.append(`${unkeptWords} `);
  const chat = document.querySelector('[data-seller-chat]')?.cloneNode();
  if (chat instanceof HTMLAnchorElement) {
    const text = `I would like to order ${name}: ${window.location.origin}/product/${id}`;
    chat.search = String(new URLSearchParams({ text }));
    chat.className = 'link';
    chat.textContent = 'Order on WhatsApp';
    description.append(chat);
  }
  showToast(title, { description, tone: 'destructive', durationMs: 20_000 });
}
