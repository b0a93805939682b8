/* The oldest browsers of the line: Chromium itself, and today's with what Safari lacks by MDN's data taken away. */
import { adminLine, customerLine } from '#domain/browsers.ts';
import { lackedBy, members } from '#tests/browser-line/mdn-data.ts';
import type { PackagedChromium } from '#tests/browser/support/packaged-chromium.ts';
import { chromiumKind } from './chromium.ts';
import type { EngineKind } from './webdriver.ts';

/** The oldest that npm has at or above a line. */
const packages: readonly PackagedChromium[] = [
  {
    version: '103.0.0',
    integrity:
      'sha512-tFX5k5uWAT0fIxelUtpN4GN1VOTT61AHB6rRjeYzC296SjizKM1pNslEWj0YeuajKfsnNeDuHizB320TTTOrkA==',
  },
  {
    version: '109.0.6',
    integrity:
      'sha512-9hTE03DXnrWTiGNpfjLfmGhIfmiVAerSPinDb+x5bBdM4KF4PMM1NZ0A+V7WKazoA+CasSX/osHK8K0MuO6uqg==',
  },
];

/** Chromium in the oldest version of a line that can be had. */
function oldestChromium(chrome: string): EngineKind {
  const found = packages.find(({ version }) => Number.parseInt(version, 10) >= Number(chrome));
  if (!found) throw new Error(`Name a Chromium of version ${chrome} or newer`);
  return chromiumKind('oldest-chromium', found);
}

/** Today's Chromium without the interfaces that a Safari lacks. */
function withSafariGaps(safari: string): EngineKind {
  const missing = members
    .filter(({ feature }) => lackedBy(feature, { safari }).length > 0)
    .map(({ owner, name, isStatic }) => [owner, name, isStatic] as const);
  const takeAway = (gaps: typeof missing): void => {
    const all = globalThis as unknown as Record<string, { prototype?: object } | undefined>;
    for (const [owner, name, isStatic] of gaps) {
      const [itself, own] = [all[owner], all[owner]?.prototype];
      if (name === '') Reflect.deleteProperty(all, owner);
      else if (owner === 'Window') Reflect.deleteProperty(all, name);
      // The data does not say what is static in the language itself.
      else if (itself && (isStatic || !(own && name in own))) Reflect.deleteProperty(itself, name);
      else if (own) Reflect.deleteProperty(own, name);
    }
  };
  return chromiumKind('safari-gaps', null, `(${takeAway.toString()})(${JSON.stringify(missing)})`);
}

/** The browser of a customer and that of the admin. */
export interface Pair {
  customer: EngineKind;
  admin: EngineKind;
}

export const oldBrowsers: readonly Pair[] = [
  { customer: oldestChromium(customerLine.chrome), admin: oldestChromium(adminLine.chrome) },
  { customer: withSafariGaps(customerLine.safari), admin: withSafariGaps(adminLine.safari) },
];
