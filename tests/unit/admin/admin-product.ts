import type { AdminProduct } from '#domain/admin/products/product-input.ts';

/** A shown product of ₹999 with five in stock, as the admin endpoints return it; changed as the test needs. */
export const adminProduct = (changes: Partial<AdminProduct> = {}): AdminProduct => ({
  id: '5b0c0d3e-1111-4222-8333-444455556666',
  name: 'Palakka ring',
  description: '',
  category: 'rings',
  price: 99_900,
  offerPrice: null,
  stock: 5,
  sizes: [],
  hidden: false,
  deletedAt: null,
  images: ['products/a.webp'],
  imageAlts: ['A ring'],
  attributes: { metal: 'Brass', weight_g: 4.2 },
  unpublished: false,
  createdAt: '2026-11-20T10:00:00+00:00',
  updatedAt: '2026-11-20T10:00:00.123456+00:00',
  ...changes,
});
