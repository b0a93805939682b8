/** What features do on a product's page: each `src/features/NAME/product-page.ts`. */
const features = Object.values(
  import.meta.glob<() => void>('../../features/*/product-page.ts', {
    eager: true,
    import: 'onProductPage',
  }),
);

export function beginFeatures(): void {
  for (const begin of features) begin();
}
