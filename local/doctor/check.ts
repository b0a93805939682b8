/** The shop that the doctor checks, and what it may do. */
export interface Target {
  /** The variables, as the deploy context would have them. Functions' modules read the same from `process.env`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Netlify's deploy context that the variables are for; 'dev' for the embedded stack. */
  context: 'production' | 'deploy-preview' | 'branch-deploy' | 'dev';
  /** Origin of the deployed site; null before the first deploy. */
  site: string | null;
  /** The embedded stack: its keys are not real. */
  embedded: boolean;
  /** Actions that the caller requested besides the checks. */
  sendMail: boolean;
  triggerBuild: boolean;
  /** Management APIs and their tokens; checks without a token are skipped. */
  supabaseApi: { address: string; token: string | undefined };
  netlifyApi: { address: string; token: string | undefined; siteId: string | undefined };
}

/** One thing that has to hold. */
export interface Check {
  /** The sentence that holds when nothing is wrong. */
  name: string;
  /** Returns what is wrong, or null. Throws Skipped, or any error, which is reported as the fault. */
  run: (target: Target) => Promise<string | null> | string | null;
  /** How to fix it. */
  fix: string;
}

/** A check that could not run, and why. It does not count as a fault. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** A host that does not answer. Only the check about reaching that host reports it; the others are skipped. */
class Unreachable extends Skipped {}

/** Reports an unreachable host as the fault; other checks are only skipped. */
export async function tellUnreachable(look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Unreachable) return error.message;
    throw error;
  }
}

const timeoutMs = 10_000;

/** Fetches without following redirects. Throws Skipped with the name of a host that does not answer. */
export async function ask(address: string | URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
    });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error && 'code' in error.cause
        ? String(error.cause.code)
        : 'no answer';
    throw new Unreachable(`${new URL(address).origin} cannot be reached (${cause}).`, {
      cause: error,
    });
  }
}

/** The value of a variable without spaces around it, '' when it is not set. */
export const valueOf = ({ env }: Target, name: string): string => env[name]?.trim() ?? '';

/** The reference of the Supabase project, as its management API wants it in an address. */
export const projectReference = (target: Target): string =>
  encodeURIComponent(URL.parse(valueOf(target, 'SUPABASE_URL'))?.hostname.split('.')[0] ?? '');
