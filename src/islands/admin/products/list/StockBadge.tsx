/** 'N units': green above 10, yellow 1 to 10, red at 0 (spec section 9). */
export function StockBadge({ stock }: { stock: number }) {
  const tone = stock > 10 ? 'green' : stock > 0 ? 'yellow' : 'red';
  return <span className={`badge badge-${tone}`}>{stock} units</span>;
}
