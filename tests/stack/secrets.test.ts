import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareDataFolder } from '#local/data-folder/data-folder.ts';
import { loadSecrets } from '#local/data-folder/secrets.ts';
import { readSettings } from '#local/shared/settings.ts';

test('the first start after an upgrade adds the secrets that are new and changes none, so the admin stays logged in', async () => {
  const root = await mkdtemp(join(tmpdir(), 'shop-secrets-'));
  try {
    const folder = await prepareDataFolder(root);
    const settings = { ...readSettings(), adminPassword: undefined };
    const first = await loadSecrets(folder, settings);
    const { sendEmailHookSecret, ...earlier } = JSON.parse(
      await readFile(folder.secrets, 'utf8'),
    ) as Record<string, string>;
    expect(sendEmailHookSecret).toBeDefined();
    await writeFile(folder.secrets, JSON.stringify(earlier));

    const upgraded = await loadSecrets(folder, settings);
    expect(upgraded).toEqual({ ...first, sendEmailHookSecret: upgraded.sendEmailHookSecret });

    const changed = await loadSecrets(folder, { ...settings, adminPassword: 'another password' });
    expect(changed.adminPasswordHash).not.toBe(first.adminPasswordHash);
  } finally {
    await rm(root, { recursive: true });
  }
});
