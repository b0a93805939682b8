import { join } from 'node:path';
import { adminLine, customerLine } from '#domain/browsers.ts';
import { readBuiltFiles } from '#tests/browser-line/built-files.ts';
import { findScriptFaults } from '#tests/browser-line/script-faults.ts';
import { findStyleFaults } from '#tests/browser-line/style-faults.ts';
import { expect, test } from '#tests/browser/support/shop.ts';

/** What a browser of the line lacks and a page may use all the same: the start of the fault, and why it does no harm. */
const exceptions: readonly (readonly [fault: string, reason: string])[] = [
  [
    '_astro/Base.astro_astro_type_script_index_1_lang.js: the selector',
    'messages ask for both where there are popovers',
  ],
  ['_astro/client.js: Document.startViewTransition', 'React catches it; no page asks for it'],
  ['_astro/client.js: ViewTransition.skipTransition', 'only after a transition has begun'],
  [
    '_astro/listing-controller.js: HTMLElement.inert',
    'Chrome 100 and 101: old cards can be pressed',
  ],
  [
    'admin-worker.js: NotificationEvent.notification',
    'Safari has it since notifications came, 16.4',
  ],
  ['max-height in svh (.gallery-slides', 'the image is as high as the page is wide'],
  ['min-height in dvh (body)', 'a short page ends above the end of the window'],
  ['min-height in lvh (main)', 'the footer moves once while the page loads'],
  ['@property', 'Tailwind writes the same values into a rule for these browsers'],
  ['@view-transition', 'pages change without a movement'],
  ['media forced-colors', 'Safari paints no forced colours'],
  ['media scripting', 'the header stays solid; pages work with scripts'],
  [':has (.detail:not(', 'a rule behind @supports stands in for it'],
  [':has (.dialog[open]', 'the dialog scrolls as a whole'],
  [':has (.home-section', 'less room before a band of colour'],
  [':has (site-header', 'the header over an image is solid'],
  [':has (.size', 'the script replaces the places for sizes'],
  [':has ([data-size-picker]', 'the script hides the places for sizes'],
  [':has (body:has(.checkout-bar)', 'the bar lies over the last line of the footer'],
];

const withoutHash = (fault: string): string => fault.replace(/\.[\w-]{8}(?=\.js:)/u, '');

test('the built scripts and styles use nothing that a browser of the line lacks', () => {
  const { customers, admin } = readBuiltFiles(
    join(process.env['SHOP_DATA_DIR'] ?? '.local', 'dist'),
  );
  for (const { scripts, styles } of [customers, admin]) {
    expect(scripts.size).toBeGreaterThan(20);
    expect(styles.size).toBeGreaterThan(0);
  }
  const faults = [
    ...findScriptFaults(customers.scripts, customerLine, admin.scripts),
    ...findScriptFaults(admin.scripts, adminLine, customers.scripts),
    ...findStyleFaults(customers.styles, customerLine),
    ...findStyleFaults(admin.styles, adminLine),
  ].map(withoutHash);
  const isExcepted = (fault: string): boolean =>
    exceptions.some(([start]) => fault.startsWith(start));
  expect(faults.filter((fault) => !isExcepted(fault))).toEqual([]);
  const unused = exceptions.filter(([start]) => !faults.some((fault) => fault.startsWith(start)));
  expect(unused, 'exceptions that nothing needs').toEqual([]);
});
