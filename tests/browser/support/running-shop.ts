import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';

const runningSchema = z.object({
  url: z.string(),
  payments: z.string(),
  adminPassword: z.string(),
});

const demoSchema = z.object({
  customer: z.object({ email: z.string(), password: z.string() }),
});

const secretsSchema = z.object({
  publishableKey: z.string(),
  secretKey: z.string(),
  razorpayKeyId: z.string(),
  razorpayKeySecret: z.string(),
});

const dataFile = (name: string): string => join(process.env['SHOP_DATA_DIR'] ?? '.local', name);
const readData = (name: string): unknown => JSON.parse(readFileSync(dataFile(name), 'utf8'));

/** Where the storage of a browser with the admin logged in is kept, for all tests of the run. */
export function adminStateFile(): string {
  return dataFile('admin-state.json');
}

/** The running stack's own description: addresses of the shop and the payment sandbox, admin's password. */
export function runningShop(): z.infer<typeof runningSchema> {
  return runningSchema.parse(readData('running.json'));
}

/**
 * The customer of the demo shop. `runningShop` does not have it, because the stack of 1.0.0, which the bench `upgrade` starts,
 * names it differently.
 */
export function demoCustomer(): { email: string; password: string } {
  return demoSchema.parse(readData('running.json')).customer;
}

/** The keys of the running stack. */
export function stackSecrets(): z.infer<typeof secretsSchema> {
  return secretsSchema.parse(readData('secrets.json'));
}

/** A client of the running stack that keeps nothing: with the rights of the shop's own functions, or a visitor's. */
export function supabaseAs(role: 'shop' | 'visitor') {
  const { publishableKey, secretKey } = stackSecrets();
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  return createClient(runningShop().url, role === 'shop' ? secretKey : publishableKey, options);
}

/** Puts rows into a table, with the rights of the shop's own functions. */
export async function insertRows(
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const { error } = await supabaseAs('shop')
    .from(table)
    .insert([...rows]);
  if (error) throw new Error(error.message);
}
