import type { Page } from '@playwright/test';

/** The browser's traffic, counted as it is transferred. */
export interface Traffic {
  /** Bytes of bodies by kind: 'script', 'document', 'font', 'image', 'fetch' and so on. */
  bytes: ReadonlyMap<string, number>;
  /** Requests that were answered over the network. */
  requests: () => number;
  /** Resolves when nothing is under way and two frames drawn after that requested nothing more. */
  quiet: () => Promise<void>;
}

/** Resolves when two more frames are drawn: what the last answers brought is then laid out. */
export async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(
    async () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Counts from now on. Nothing comes from the browser's own cache. */
export async function countTraffic(page: Page, { onFast4g = false } = {}): Promise<Traffic> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (onFast4g) {
    // How far ahead lazy images load depends on the connection, and builds of Chromium differ where none is named.
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 1,
      downloadThroughput: 10_000_000,
      uploadThroughput: 10_000_000,
      connectionType: 'cellular4g',
    });
  }
  const answers = new Map<string, { kind: string; head: number }>();
  const bytes = new Map<string, number>();
  const underWay = new Set<string>();
  const icons = new Set<string>();
  let requests = 0;
  let wake = (): void => undefined;
  const end = (requestId: string) => {
    underWay.delete(requestId);
    if (underWay.size === 0) wake();
  };

  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    // Chromium fetches the icon for its tab; the headless shell has no tabs. The page does not fetch it.
    if (new URL(request.url).pathname.startsWith('/favicon.')) {
      icons.add(requestId);
      return;
    }
    // Requests of the previous page are not this page's.
    if (type === 'Document') underWay.clear();
    underWay.add(requestId);
  });
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    answers.set(requestId, { kind: type.toLowerCase(), head: response.encodedDataLength });
    // A page may leave the body of a refusal unread; Chromium then never reports its end.
    if (response.status >= 400) end(requestId);
  });
  session.on('Network.loadingFailed', ({ requestId }) => {
    end(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { kind, head } = answers.get(requestId) ?? { kind: 'other', head: 0 };
    if (encodedDataLength > 0 && !icons.has(requestId)) {
      requests += 1;
      bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength - head);
    }
    end(requestId);
  });

  const empty = async (): Promise<void> => {
    if (underWay.size > 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return {
    bytes,
    requests: () => requests,
    quiet: async () => {
      do {
        await empty();
        await twoFrames(page);
      } while (underWay.size > 0);
    },
  };
}
