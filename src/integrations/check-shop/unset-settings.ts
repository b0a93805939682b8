import * as z from 'zod';
import { shopFolderSchema, type ShopFolder } from '#shop-schema/shop-schema.ts';

/** The optional settings that a shop leaves to the engine, by their paths: 'shop.lowStockBelow'. */
export function unsetSettings(settings: ShopFolder): string[] {
  const unsetIn = (schema: unknown, value: unknown, path: string): string[] => {
    if (schema instanceof z.ZodOptional)
      return value === undefined ? [path] : unsetIn(schema.unwrap(), value, path);
    if (!(schema instanceof z.ZodObject)) return [];
    return Object.entries(schema.shape).flatMap(([name, field]) =>
      unsetIn(
        field,
        (value as Readonly<Record<string, unknown>>)[name],
        path === '' ? name : `${path}.${name}`,
      ),
    );
  };
  return unsetIn(shopFolderSchema, settings, '');
}
