import { writeFileSync } from 'node:fs';
import { request } from '@playwright/test';
import { holdAutomaticBuilds } from '#tests/browser/admin/products/automatic-builds.ts';
import { adminStateFile, runningShop } from './running-shop.ts';

/** Logs the admin in once: wrong tries are counted for everybody together, so all tests share one session. */
async function saveAdminSession(): Promise<void> {
  const { url, adminPassword } = runningShop();
  const admin = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
  const answer = await admin.post('/api/admin/login', { data: { password: adminPassword } });
  if (!answer.ok())
    throw new Error(`The owner was not let in: ${String(answer.status())} ${await answer.text()}`);
  const { cookies } = await admin.storageState();
  const localStorage = [{ name: 'kasavu:admin', value: '1' }];
  writeFileSync(
    adminStateFile(),
    JSON.stringify({ cookies, origins: [{ origin: url, localStorage }] }),
  );
  await admin.dispose();
}

/** The state of the running stack before the first test. */
export default async function prepareStack(): Promise<void> {
  await Promise.all([holdAutomaticBuilds(), saveAdminSession()]);
}
