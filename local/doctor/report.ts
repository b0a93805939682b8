import type { Finding } from './run-checks.ts';
import { razorpayDashboard } from './payment-checks.ts';
import { cheaperCash } from './shop-facts-checks.ts';
import type { Target } from './check.ts';

const dashboards = [
  ...razorpayDashboard,
  'Netlify, Logs, Functions, payment-sweep: "Scheduled", and its last run is less than five minutes old.',
  'Supabase, Database, Backups: there is one of last night, or your own (docs/going-live.md, "Backups").',
] as const;

/** Settings that no API reports, and terms that only the owner can mean: a person looks at them. */
export const toLookAt = ({ embedded, site }: Target): string[] =>
  embedded
    ? []
    : [
        ...dashboards.map((text) => text.replace('<site>', site ?? 'https://<your domain>')),
        ...(cheaperCash() ?? []),
      ];

const signs = { ok: ' ok ', fault: 'WRONG', skipped: ' –  ' } as const;

/** The findings as text for a terminal: faults with what to do, the others in a line each. */
export function reportText(findings: readonly Finding[], look: readonly string[]): string {
  const lines: string[] = [];
  let subject = '';
  for (const finding of findings) {
    if (finding.subject !== subject) lines.push('', finding.subject);
    subject = finding.subject;
    lines.push(
      `  ${signs[finding.result].padEnd(6)}${finding.check}${finding.result === 'skipped' ? `: skipped, ${finding.what}` : ''}`,
    );
    if (finding.result === 'fault')
      lines.push(`        ${finding.what}`, `        > ${finding.fix}`);
  }
  const faults = findings.filter(({ result }) => result === 'fault').length;
  const made = findings.filter(({ result }) => result !== 'skipped').length;
  if (look.length > 0)
    lines.push(
      '',
      'No API shows these; look at them yourself',
      ...look.map((text) => `  - ${text}`),
    );
  lines.push(
    '',
    faults === 0
      ? `All ${String(made)} checks that were made are well.`
      : `${String(faults)} of ${String(made)} checks found a fault.`,
    '',
  );
  return lines.join('\n');
}

/** The same for programs: one object, `ok` false when there is a fault. */
export const reportJson = (findings: readonly Finding[], look: readonly string[]): string =>
  JSON.stringify(
    { ok: !findings.some(({ result }) => result === 'fault'), findings, look },
    null,
    2,
  );
