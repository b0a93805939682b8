/*
 * The oldest browsers that the shop supports, declared once. The targets of scripts and styles, the lint of the built files
 * (tests/browser-line), the bench `browsers` and the sentence in README come from here: docs/decisions/0047.
 */

/** Versions by engine: Chromium's count for Edge and Android, Safari's for iOS, where every browser is Safari inside. */
export interface BrowserLine {
  readonly chrome: string;
  /** Its version has a number of its own, lower than that of the Chromium inside. */
  readonly samsungInternet?: string;
  readonly firefox?: string;
  readonly safari: string;
}

export const customerLine = {
  chrome: '100',
  samsungInternet: '20',
  firefox: '115',
  safari: '15.6',
} as const satisfies BrowserLine;

/** The owner chooses a browser; customers have the one of their phone. */
export const adminLine = { chrome: '109', safari: '16.4' } as const satisfies BrowserLine;

/**
 * Interfaces that a browser on the line has, and one just below it lacks: without them a page stays as without JavaScript
 * (src/elements/inline/older-browsers.js). Chosen from MDN's data among those that no privacy setting removes.
 */
export const customerMarks = ['CSSLayerBlockRule'] as const;
export const adminMarks = ['CSSContainerRule', 'CompressionStream'] as const;

const sentence = ({ chrome, samsungInternet, firefox, safari }: BrowserLine): string =>
  [
    `Chrome and Edge ${chrome}`,
    samsungInternet === undefined ? [] : `Samsung Internet ${samsungInternet}`,
    firefox === undefined ? [] : `Firefox ESR ${firefox}`,
    `Safari and iOS ${safari}`,
  ]
    .flat()
    .join(', ');

/** README's sentence about the browsers; a test compares them. */
export const browserSentence = `Customers need ${sentence(customerLine)} or newer, the owner’s page ${sentence(adminLine)}.`;

const targets = ({ chrome, firefox, safari }: Required<Omit<BrowserLine, 'samsungInternet'>>) => [
  `chrome${chrome}`,
  `edge${chrome}`,
  `firefox${firefox}`,
  `safari${safari}`,
  `ios${safari}`,
];

/** What styles are compiled to. */
export const styleTargets = targets(customerLine);

/**
 * What scripts are compiled to. Safari 15 has class fields with one fault, which the lint of the built files refuses; for that
 * fault the compiler would replace every field, at 5 % of a page's script.
 */
export const scriptTargets = targets({ ...customerLine, safari: '16' });
