import type { AdminRoute } from '../../../domain/admin/page-route.ts';
import type { Today } from '../../../domain/admin/today.ts';
import { AdminIcon, type AdminIconName } from './AdminIcon.tsx';

const sections = [
  { section: 'shop', href: '#', label: 'Shop', icon: 'shop' },
  { section: 'orders', href: '#orders', label: 'Orders', icon: 'orders' },
  { section: 'inbox', href: '#inbox', label: 'Inbox', icon: 'inbox' },
] as const satisfies readonly {
  section: AdminRoute['section'];
  href: string;
  label: string;
  icon: AdminIconName;
}[];

interface AdminNavProps {
  section: AdminRoute['section'];
  /** For the numbers beside Orders and Inbox. */
  today: Today | null;
  onAdd: () => void;
}

/** The three sections and 'Add Product': a bar under the heading, on a phone at the thumb's edge of the screen. */
export function AdminNav({ section: current, today, onAdd }: AdminNavProps) {
  const waiting = {
    shop: null,
    orders:
      today && today.toPack.count > 0 ? { count: today.toPack.count, label: 'to pack' } : null,
    inbox:
      today && today.toAnswer.count > 0
        ? { count: today.toAnswer.count, label: 'to answer' }
        : null,
  } as const;
  return (
    <div className="admin-bar">
      <nav aria-label="Admin">
        <ul className="admin-sections">
          {sections.map(({ section, href, label, icon }) => (
            <li key={section}>
              <a
                href={href}
                className="admin-section"
                aria-current={section === current ? 'page' : undefined}
              >
                <AdminIcon name={icon} />
                {label}
                {waiting[section] ? (
                  <span className="admin-count">
                    {waiting[section].count}
                    <span className="visually-hidden"> {waiting[section].label}</span>
                  </span>
                ) : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <button type="button" className="btn btn-primary admin-add" onClick={onAdd}>
        <AdminIcon name="add" />
        Add Product
      </button>
    </div>
  );
}
