import { type Check, Skipped, type Target } from './check.ts';
import { databaseChecks } from './database-checks.ts';
import { mailChecks } from './mail-checks.ts';
import { netlifyChecks } from './netlify-checks.ts';
import { paymentChecks } from './payment-checks.ts';
import { publishingChecks } from './publishing-checks.ts';
import { shopFactsChecks } from './shop-facts-checks.ts';
import { signUpChecks } from './sign-up-checks.ts';
import { siteChecks } from './site-checks.ts';
import { variableChecks } from './variable-checks.ts';

/** Every check by its subject, in the order of the report. */
export const subjects: Readonly<Record<string, readonly Check[]>> = {
  Variables: variableChecks,
  'Facts of the shop': shopFactsChecks,
  Database: databaseChecks,
  'Sign-up': signUpChecks,
  Payments: paymentChecks,
  Mail: mailChecks,
  Publishing: publishingChecks,
  'Netlify’s settings': netlifyChecks,
  'The site': siteChecks,
};

/** The result of a check. */
export interface Finding {
  subject: string;
  check: string;
  result: 'ok' | 'fault' | 'skipped';
  /** The fault, or why the check was skipped; '' when all is well. */
  what: string;
  /** How to fix it; '' unless there is a fault. */
  fix: string;
}

async function look(subject: string, { name, run, fix }: Check, target: Target): Promise<Finding> {
  const finding = (result: Finding['result'], what: string): Finding => ({
    subject,
    check: name,
    result,
    what,
    fix: result === 'fault' ? fix : '',
  });
  try {
    const what = await run(target);
    return what === null ? finding('ok', '') : finding('fault', what);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return finding(error instanceof Skipped ? 'skipped' : 'fault', what);
  }
}

/** Runs all checks in parallel, or those of some subjects. Never throws. */
export async function runChecks(
  target: Target,
  chosen: Readonly<Record<string, readonly Check[]>> = subjects,
): Promise<Finding[]> {
  return Promise.all(
    Object.entries(chosen).flatMap(([subject, checks]) =>
      checks.map(async (check) => look(subject, check, target)),
    ),
  );
}
