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
      <span className="today-count">
        {count} <span className="today-label">{label}</span>
      </span>
      {entries.map(({ key, text, aside }) => (
        <span key={key} className="today-entry">
          <span className="today-entry-text">{text}</span>
          <span className="today-entry-aside">{aside}</span>
        </span>
      ))}
    </>
  );
  return (
    <li>
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
