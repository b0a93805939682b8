import type { AdminView } from '#islands/admin/shared/admin-view.ts';

export const views: readonly AdminView[] = [
  {
    name: 'figures',
    title: 'Figures',
    load: () => import('./FiguresView.tsx').then((module) => module.FiguresView),
    links: [{ href: '#figures', label: 'Figures', order: 20 }],
  },
  {
    name: 'customers',
    title: 'Customers',
    load: () => import('./CustomersView.tsx').then((module) => module.CustomersView),
    links: [{ href: '#customers', label: 'Customers', order: 30 }],
  },
];
