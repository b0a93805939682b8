import type { ComponentType } from 'react';

interface MorePanelModule {
  MorePanel: ComponentType;
  /** Panels stand in this order. */
  order: number;
}

/** The panels that features add under More: every `src/features/NAME/MorePanel.tsx`, in their order. */
export const morePanels: readonly ComponentType[] = Object.values(
  import.meta.glob<MorePanelModule>('../../../features/*/MorePanel.tsx', { eager: true }),
)
  .sort((a, b) => a.order - b.order)
  .map(({ MorePanel }) => MorePanel);
