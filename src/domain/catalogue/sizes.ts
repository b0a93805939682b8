/** A size of a product with its own stock, in units. */
export interface ProductSize {
  size: string;
  stock: number;
}

/** What a line of a cart or an order is of: a product, or a size of it. As private.line_key in SQL. */
export const lineKey = (productId: string, size?: string): string => (size === undefined ? productId : `${productId}:${size}`);

/** 'Kasavu Ring · Size 14', as orders, documents and mails have it; the name alone without a size. As private.sized_name. */
export const sizedName = (name: string, size?: string): string => (size === undefined || size === '' ? name : `${name} · Size ${size}`);
