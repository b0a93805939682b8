import type { AdminRoute } from '#domain/admin/page-route.ts';
import type { Today } from '#domain/admin/today.ts';
import { offersCash } from '#services/environment.ts';
import { AdminIcon, type AdminIconName } from '#islands/admin/shared/AdminIcon.tsx';

type Section = AdminRoute['section'];

/** The tabs, each with the views that it leads to. */
const tabs: readonly {
  sections: readonly Section[];
  href: string;
  label: string;
  icon: AdminIconName;
  /** The number of open tasks, beside its name. */
  waiting?: { count: (today: Today) => number; label: string };
}[] = [
  {
    sections: ['today'],
    href: '#today',
    label: 'Today',
    icon: 'today',
    waiting: {
      count: ({ money, unsentMails, mailsStuckSince }) =>
        money.count + (unsentMails || (mailsStuckSince === null ? 0 : 1)),
      label: 'to check',
    },
  },
  {
    sections: ['orders'],
    href: '#orders',
    label: 'Orders',
    icon: 'orders',
    waiting: {
      count: ({ toConfirm, toPack }) => toConfirm.count + toPack.count,
      label: offersCash ? 'to confirm or pack' : 'to pack',
    },
  },
  { sections: ['shop'], href: '#', label: 'Products', icon: 'shop' },
  {
    sections: ['more', 'view'],
    href: '#more',
    label: 'More',
    icon: 'more',
    waiting: { count: ({ toAnswer }) => toAnswer.count, label: 'to answer' },
  },
];

/** The four sections: tabs under the heading, on a phone at the thumb's edge of the screen. */
export function AdminNav({ section, today }: { section: Section; today: Today | null }) {
  return (
    <nav className="admin-bar" aria-label="Admin">
      <ul className="admin-sections">
        {tabs.map(({ sections, href, label, icon, waiting }) => {
          const count = today && waiting ? waiting.count(today) : 0;
          return (
            <li key={href}>
              <a
                href={href}
                className="admin-section"
                aria-current={sections.includes(section) ? 'page' : undefined}
              >
                <AdminIcon name={icon} />
                {label}
                {count === 0 ? null : (
                  <span className="admin-count">
                    {count}
                    <span className="visually-hidden"> {waiting?.label}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
