import { TileCount } from './TileCount.tsx';
import type { Tile } from './today-tiles.ts';

interface TodayTileProps {
  tile: Tile;
  onShowStock: (stock: 'low' | 'out') => void;
}

/** One tile: all of it is a link to what needs attention. */
export function TodayTile({ tile, onShowStock }: TodayTileProps) {
  const { label, count, entries, leadsTo } = tile;
  const content = (
    <>
      <TileCount count={count} label={label} />
      {entries.map(({ key, text, aside }) => (
        <span key={key} className="flex min-w-0 justify-between gap-2 text-xs/relaxed text-ink-500">
          <span className="truncate text-ink-700">{text}</span>
          <span className="max-w-[50%] flex-none truncate">{aside}</span>
        </span>
      ))}
    </>
  );
  return (
    <li className="grid">
      {'href' in leadsTo ? (
        <a className="today-tile" href={leadsTo.href}>
          {content}
        </a>
      ) : (
        <button
          type="button"
          className="today-tile"
          onClick={() => {
            onShowStock(leadsTo.stock);
          }}
        >
          {content}
        </button>
      )}
    </li>
  );
}
