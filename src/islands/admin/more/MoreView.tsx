import { useStore } from '@nanostores/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { version } from '../../../../package.json';
import { $today } from '../../../stores/admin-today.ts';
import { DiscountsPanel } from '../discounts/DiscountsPanel.tsx';
import { NoticePanel } from '../notice/NoticePanel.tsx';
import { NotificationSettings } from '../notifications/NotificationSettings.tsx';
import { OccasionPanel } from '../occasion/OccasionPanel.tsx';
import type { Push } from '../notifications/use-push.ts';
import { CatalogueFile } from '../products/file/CatalogueFile.tsx';
import { FeaturedProducts } from '../products/list/FeaturedProducts.tsx';
import { useFeatured } from '../products/list/use-featured.ts';
import { PublishBar } from '../publish/PublishBar.tsx';
import { SecondFactorSettings } from '../second-factor/SecondFactorSettings.tsx';
import { LogoutButton } from '../shared/LogoutButton.tsx';
import { StockAlertsPanel } from '../stock-alerts/StockAlertsPanel.tsx';

/**
 * Tells when all parts of an element have loaded for the first time: from then on nothing in it moves by itself. A part that loads has
 * `aria-busy`. While `isWaiting`, something above the element loads, which would move it.
 */
function useSettled(isWaiting: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const [isSettled, setSettled] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (isSettled || isWaiting || !element) return undefined;
    const look = () => {
      if (!element.querySelector('[aria-busy="true"]:not(button)')) setSettled(true);
    };
    const observer = new MutationObserver(look);
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
    look();
    return () => {
      observer.disconnect();
    };
  }, [isSettled, isWaiting]);
  return { ref, isSettled };
}

/** Tools that are needed less than every day: messages, figures, customers, publishing, settings of the shop, this device. */
export function MoreView({ push }: { push: Push }) {
  const { today, error } = useStore($today);
  const featured = useFeatured();
  const isWaiting = today === null && error === null;
  const { ref, isSettled } = useSettled(isWaiting);
  const toAnswer = today?.toAnswer.count ?? 0;
  const links = [
    {
      href: '#inbox',
      label: 'Messages',
      note: toAnswer === 0 ? '' : `${String(toAnswer)} to answer`,
    },
    { href: '#figures', label: 'Figures', note: '' },
    { href: '#customers', label: 'Customers', note: '' },
    { href: '#inbox/subscribers', label: 'Newsletter', note: '' },
  ];
  return (
    <section aria-labelledby="more-title" className="grid grid-cols-1 gap-6">
      <div>
        <div className="flex items-center gap-3">
          <h2 className="section-title" id="more-title" tabIndex={-1}>
            More
          </h2>
          {isSettled ? null : (
            <span className="spinner text-accent-700" role="status" aria-label="Loading" />
          )}
        </div>
        <nav
          className={`mt-3.5 grid grid-cols-2 gap-2 md:grid-cols-4 ${isWaiting ? 'after-late' : ''}`}
          aria-label="More"
        >
          {links.map(({ href, label, note }) => (
            <a key={href} className="btn btn-secondary flex-wrap px-3" href={href}>
              {label}
              {note === '' ? null : <span className="text-sm text-accent-700">{note}</span>}
            </a>
          ))}
        </nav>
      </div>
      {/* Hidden until all of it has loaded: a late part would move a button away from under a finger. */}
      <div ref={ref} className={`grid grid-cols-1 gap-6 ${isSettled ? '' : 'after-late'}`}>
        <PublishBar />
        <div>
          <FeaturedProducts featured={featured} />
          <OccasionPanel />
          <NoticePanel />
          <DiscountsPanel />
          <StockAlertsPanel />
          <CatalogueFile />
        </div>
        <NotificationSettings push={push} />
        <SecondFactorSettings />
        <p className="border-t border-line pt-4 text-sm/relaxed text-ink-500">
          Lost a phone, or logged in on someone else’s?{' '}
          <LogoutButton everywhere className="link min-h-11 cursor-pointer text-ink-700">
            Log out everywhere
          </LogoutButton>
        </p>
        <p className="text-sm/relaxed text-ink-500">
          Also kept:{' '}
          <a className="link inline-block py-2.5" href="#inbox/forms">
            Checkout forms
          </a>
          , what customers typed at the checkout. Their orders are under Orders.
        </p>
        <p className="text-sm/relaxed text-ink-500">Version {version}</p>
      </div>
    </section>
  );
}
