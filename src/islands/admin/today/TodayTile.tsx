import { TileCount } from './TileCount.tsx';
import type { Tile } from './today-tiles.ts';

/** One tile: all of it is a link to what needs attention. */
export function TodayTile({ tile: { label, count, entries, href } }: { tile: Tile }) {
  return (
    <li className="grid">
      <a className="today-tile" href={href}>
        <TileCount count={count} label={label} />
        {entries.map(({ key, text, aside }) => (
          <span
            key={key}
            className="flex min-w-0 flex-wrap justify-between gap-x-2 text-xs/relaxed wrap-anywhere text-ink-500"
          >
            <span className="text-ink-700">{text}</span>
            <span>{aside}</span>
          </span>
        ))}
      </a>
    </li>
  );
}
