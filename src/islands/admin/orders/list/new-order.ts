import type { ComponentType } from 'react';

export interface NewOrderProps {
  /** Where the list is that the form was opened from. */
  listHash: string;
  onMade: () => void;
}

/** Fetches the form of a new order; undefined without one. A feature adds it as `src/features/NAME/NewOrder.tsx`. */
export const [loadNewOrder] = Object.values(
  import.meta.glob<ComponentType<NewOrderProps>>('../../../../features/*/NewOrder.tsx', {
    import: 'NewOrder',
  }),
);
