const paths = {
  add: 'M5 12h14M12 5v14',
  bin: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 17a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  crop: 'M7 3v14h14M3 7h14v14',
  down: 'M12 5v14M6 13l6 6 6-6',
  earlier: 'M19 12H5M11 6l-6 6 6 6',
  later: 'M5 12h14M13 6l6 6-6 6',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  more: 'M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  orders: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  pen: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4',
  star: 'M12 4l2.5 5.2 5.5.8-4 4 1 5.7-5-2.7-5 2.7 1-5.7-4-4 5.5-.8z',
  today: 'M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4',
  turn: 'M19 12a7 7 0 1 1-2-5M19 3v5h-5',
  up: 'M12 19V5M6 11l6-6 6 6',
  shop: 'M5 8l7-4 7 4-7 12zM5 8h14M9 8l3 12 3-12',
} as const;
export type AdminIconName = keyof typeof paths;

/** A line icon of the admin page, silent for screen readers: what it stands in carries the name. */
export function AdminIcon({ name, className = '' }: { name: AdminIconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
