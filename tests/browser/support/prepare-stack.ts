import { writeFileSync } from 'node:fs';
import { request } from '@playwright/test';
import { holdAutomaticBuilds } from '../admin/automatic-builds.ts';
import { ownerStateFile, runningShop } from './running-shop.ts';

/** Logs the owner in once: wrong tries are counted for everybody together, so all tests share one session. */
async function keepOwnerSession(): Promise<void> {
  const { url, adminPassword } = runningShop();
  const owner = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
  const answer = await owner.post('/api/admin/login', { data: { password: adminPassword } });
  if (!answer.ok()) throw new Error(`The owner was not let in: ${String(answer.status())} ${await answer.text()}`);
  const { cookies } = await owner.storageState();
  const localStorage = [{ name: 'kasavu:admin', value: '1' }];
  writeFileSync(ownerStateFile(), JSON.stringify({ cookies, origins: [{ origin: url, localStorage }] }));
  await owner.dispose();
}

/** What all tests find done on the running stack, before the first of them. */
export default async function prepareStack(): Promise<void> {
  await Promise.all([holdAutomaticBuilds(), keepOwnerSession()]);
}
