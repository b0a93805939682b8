import { lineText, type LinkedLine } from '#domain/cart/linked-lines.ts';

/** The page that opens these lines: in the admin's form of a new order, or in a cart. */
export const orderLinkPath = (lines: readonly LinkedLine[]): string => `/order#${lineText(lines)}`;
