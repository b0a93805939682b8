import { version } from '../../../../package.json';
import { FeaturedProducts } from '#islands/admin/products/list/FeaturedProducts.tsx';
import { PublishBar } from '#islands/admin/publish/PublishBar.tsx';
import { usePublishing } from '#islands/admin/publish/use-publishing.ts';
import { LogoutButton } from '#islands/admin/shared/LogoutButton.tsx';
import { morePanels } from './more-panels.ts';
import { moreLinks } from './admin-views.ts';
import { useToday } from '#islands/admin/today/use-today.ts';

/** Tools that are needed less than every day: messages, figures, customers, publishing, settings of the shop, this device. */
export function MoreView() {
  const { data: today, error } = useToday();
  const publishing = usePublishing();
  const isWaiting = today === null && error === null;
  // What stands below a part that is still loading would move away from under a finger. Panels load when they are unfolded.
  const isSettled = !isWaiting && (publishing.data !== null || publishing.error !== null);
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
          {moreLinks.map(({ href, label, note }) => {
            const noteText = today && note ? note(today) : '';
            return (
              <a key={href} className="btn btn-secondary flex-wrap px-3" href={href}>
                {label}
                {noteText === '' ? null : (
                  <span className="text-sm text-accent-700">{noteText}</span>
                )}
              </a>
            );
          })}
        </nav>
      </div>
      <div className={`grid grid-cols-1 gap-6 ${isSettled ? '' : 'after-late'}`}>
        <PublishBar />
        <div>
          <FeaturedProducts />
          {morePanels.map((MorePanel, index) => (
            <MorePanel key={index} />
          ))}
        </div>
        <p className="text-sm/relaxed text-ink-500">
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
