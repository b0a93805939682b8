import type { Browser, CDPSession, Page } from '@playwright/test';

/** Opens a browser as the phone that peers were measured on; closes it after the work. */
export async function onPhone<T>(
  browser: Browser,
  work: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    return await work(page, session);
  } finally {
    await context.close();
  }
}

/** A quarter of this machine's speed from now on. */
export async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** Makes the bare page: no script file loads from now on. */
export async function blockScripts(session: CDPSession): Promise<void> {
  await session.send('Network.setBlockedURLs', { urls: ['*.js', '*.js?*', '*.mjs*'] });
}
