import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { readAdminRoute } from '#domain/admin/page-route.ts';
import { OfflineNotice } from '#features/offline/OfflineNotice.tsx';
import { usePush } from '#features/push/use-push.ts';
import { fetchCheckoutState } from '#services/admin/orders/payments.ts';
import { shop } from '#settings/shop.ts';
import { queryClient } from '#islands/admin/shared/fetching/query-client.ts';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { useToday } from '#islands/admin/today/use-today.ts';
import { adminViews } from '#islands/admin/more/admin-views.ts';
import { AdminNav } from './AdminNav.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { LazyPart } from '#islands/admin/shared/fetching/LazyPart.tsx';
import { LogoutButton } from '#islands/admin/shared/LogoutButton.tsx';
import type { ProductOpening } from '#islands/admin/products/form/product-model.ts';
import { ProductsView } from '#islands/admin/products/list/ProductsView.tsx';
import { ViewFocus } from './ViewFocus.tsx';
import { FaultNotice } from '#islands/shared/FaultNotice.tsx';

const loadToday = () =>
  import('#islands/admin/today/TodayPanel.tsx').then((module) => module.TodayPanel);
const loadMore = () => import('#islands/admin/more/MoreView.tsx').then((module) => module.MoreView);
const loadOrders = () =>
  import('#islands/admin/orders/list/OrdersView.tsx').then((module) => module.OrdersView);
const loadProductDialog = () =>
  import('#islands/admin/products/form/ProductDialog.tsx').then((module) => module.ProductDialog);

const titles = { today: 'Today', shop: 'Admin', orders: 'Orders', more: 'More' } as const;
const viewNames = adminViews.map(({ name }) => name);

interface DashboardProps {
  focusHeading: boolean;
}

/** The admin page after the login. */
export function Dashboard(props: DashboardProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Sections {...props} />
    </QueryClientProvider>
  );
}

/** Heading, sections, and the product form, which opens over any of them. */
function Sections({ focusHeading }: DashboardProps) {
  const route = readAdminRoute(useHash(), viewNames);
  const fromMore =
    route.section === 'view' ? adminViews.find(({ name }) => name === route.name) : undefined;
  const title = route.section === 'view' ? (fromMore?.title ?? '') : titles[route.section];
  const view = JSON.stringify(route);
  const { data: today } = useToday();
  // Registers a device whose notifications are on again, whichever view the admin opens first.
  usePush();
  const [opening, setOpening] = useState<ProductOpening | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = useCallback(() => {
    setOpening(null);
  }, []);
  useEffect(() => {
    if (focusHeading) heading.current?.focus();
    // Fetched while the admin looks around, so that the form also opens where the connection is bad.
    const timer = setTimeout(() => void loadProductDialog().catch(() => undefined), 1_500);
    return () => {
      clearTimeout(timer);
    };
  }, [focusHeading]);
  useEffect(() => {
    document.title = `${title} — ${shop.name}`;
  }, [title]);

  return (
    <div className="admin">
      {/* One line on a phone, whose screen belongs to the work. */}
      <header className="flex items-start justify-between gap-x-4 max-md:items-center">
        <div className="max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-2.5">
          <h1
            className="page-title focus:outline-none max-md:text-xl/[1.3]"
            ref={heading}
            tabIndex={-1}
          >
            Admin Dashboard
          </h1>
          {route.section === 'shop' ? (
            <p className="text-ink-700 max-md:text-xs">Manage catalog</p>
          ) : null}
        </div>
        <LogoutButton className="btn btn-secondary px-[1.125rem] max-md:min-h-11 max-md:border-transparent max-md:bg-transparent max-md:px-2">
          Logout
        </LogoutButton>
      </header>
      <NotOpenNotice />
      <OfflineNotice />
      <AdminNav section={route.section} today={today} />
      <ViewFocus view={view}>
        <FaultNotice key={title}>
          {route.section === 'today' ? <LazyPart load={loadToday} props={{}} /> : null}
          {route.section === 'more' ? <LazyPart load={loadMore} props={{}} /> : null}
          {route.section === 'shop' ? (
            <ProductsView onOpen={setOpening} formOpen={opening !== null} />
          ) : null}
          {route.section === 'orders' ? (
            <LazyPart load={loadOrders} props={{ orderId: route.orderId }} />
          ) : null}
          {fromMore && route.section === 'view' ? (
            <LazyPart key={route.name} load={fromMore.load} props={{ detail: route.detail }} />
          ) : null}
        </FaultNotice>
      </ViewFocus>
      {opening ? <LazyPart load={loadProductDialog} props={{ opening, onClose: close }} /> : null}
      <ConfirmDialog />
    </div>
  );
}

/** On every page of the admin while the shop does not sell yet. */
function NotOpenNotice() {
  const { data: state } = useFetched({
    queryKey: ['checkout-state'],
    queryFn: ({ signal }) => fetchCheckoutState(signal),
    staleTime: Infinity,
  });
  if (state === null || state === 'open') return null;
  return (
    <p className="notice notice-danger my-5" role="alert">
      <strong>The shop is open to look at and closed to buy.</strong>{' '}
      {state === 'closed'
        ? 'It has no keys of Razorpay.'
        : 'It has Razorpay’s test keys: only the addresses in TEST_BUYERS can order, and their test orders are no money. Do not send them; cancel them before the live keys come.'}
    </p>
  );
}

function followHash(tell: () => void): () => void {
  window.addEventListener('hashchange', tell);
  return () => {
    window.removeEventListener('hashchange', tell);
  };
}

/** The part of the address after `#`, kept current. The page's views are chosen by it. */
function useHash(): string {
  return useSyncExternalStore(
    followHash,
    () => window.location.hash,
    () => '',
  );
}
