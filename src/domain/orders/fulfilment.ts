/** Where a paid order is on its way. */
export const fulfilments = ['new', 'packed', 'shipped', 'delivered', 'cancelled'] as const;
export type Fulfilment = (typeof fulfilments)[number];
