/** Reports of one page at most: a fault that repeats is known by then. */
const maxReports = 3;
const reported = new Set<string>();

/** Errors of the language: their messages name code, while others may repeat what somebody typed. */
const ofLanguage = ['TypeError', 'ReferenceError', 'RangeError'];

/** Reports a fault of the program to the shop's log: its name and place, and the page's path. The browser names itself. */
export function reportFault(error: unknown): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error();
  console.error('The page failed', error);
  const fault = ofLanguage.includes(name) ? `${name}: ${message}`.slice(0, 200) : name;
  const place = /[\w.-]+\.js(?:\?[^:]*)?:\d+:\d+/u.exec(stack)?.[0].replace(/\?[^:]*/u, '') ?? '';
  const report = JSON.stringify({ fault, place: place.slice(0, 120), page: location.pathname });
  if (reported.has(report) || reported.size >= maxReports) return;
  reported.add(report);
  navigator.sendBeacon('/api/page-fault', new Blob([report], { type: 'application/json' }));
}
