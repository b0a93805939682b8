import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';
import { runningShop } from './shop.ts';

const secretsSchema = z.object({ secretKey: z.string(), razorpayKeyId: z.string(), razorpayKeySecret: z.string() });

/** The keys of the running stack. */
export function stackSecrets(): z.infer<typeof secretsSchema> {
  const folder = process.env['SHOP_DATA_DIR'] ?? '.local';
  return secretsSchema.parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')));
}

/** Puts rows into a table of the running stack, with the rights of the shop's own functions. */
export async function insertRows(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const { error } = await createClient(runningShop().url, stackSecrets().secretKey, options).from(table).insert(rows);
  if (error) throw new Error(error.message);
}
