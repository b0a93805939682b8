import type * as z from 'zod/mini';

/** Reads rows of one table: what it selects is what it parses, so a forgotten column is a type error. */
export interface Reader<Row> {
  /** The names of exactly the columns of `Row`, for `select`. */
  columns: string;
  /** @throws a ZodError when the row does not fit. */
  parse: (row: unknown) => Row;
}

/** A reader of the columns that `schema` names. */
export function createReader<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
): Reader<z.infer<z.ZodMiniObject<Shape>>> {
  return {
    columns: Object.keys(schema.shape).join(','),
    parse: (row) => schema.parse(row),
  };
}
