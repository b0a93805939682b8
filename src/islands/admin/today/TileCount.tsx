/** A tile's first line: how many, in large figures, and of what. */
export function TileCount({ count, label }: { count: number; label: string }) {
  return (
    <span className="font-display text-xl/[1.3]">
      {count} <span className="font-text text-sm/[1.3]">{label}</span>
    </span>
  );
}
