/** Names the heart of a card by its product. */
export function fillCard(card: HTMLElement, { name }: { name: string }): void {
  const heart = card.querySelector('wishlist-button button');
  if (heart) heart.ariaLabel = `Add ${name} to wishlist`;
}
