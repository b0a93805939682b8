import type { ComponentType } from 'react';
import type { Selection } from '../../shared/use-selection.ts';
import type { ProductList } from './use-products.ts';

export interface ProductSelectionProps {
  selection: Selection;
  /** As it is shown. */
  list: ProductList;
  /** It is the list of deleted ones. */
  deleted: boolean;
}

/**
 * What features do with the chosen products: each `src/features/NAME/ProductSelection.tsx`. Products can be chosen while
 * there is one.
 */
export const productSelections = Object.values(
  import.meta.glob<ComponentType<ProductSelectionProps>>(
    '../../../../features/*/ProductSelection.tsx',
    { eager: true, import: 'ProductSelection' },
  ),
);
