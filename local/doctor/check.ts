/** What the doctor looks at, and how far it may go. */
export interface Target {
  /** The variables, as the deploy context would have them. Functions' modules read the same from `process.env`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Netlify's deploy context that the variables are for; 'dev' for the embedded stack. */
  context: 'production' | 'deploy-preview' | 'branch-deploy' | 'dev';
  /** Origin of the deployed site; null before the first deploy. */
  site: string | null;
  /** The embedded stack: its keys are no real ones, and its database grants whole tables by itself. */
  embedded: boolean;
  /** What a person asked for besides looking. */
  sendMail: boolean;
  triggerBuild: boolean;
  /** Management APIs and their tokens; without a token nothing is asked. */
  supabaseApi: { address: string; token: string | undefined };
  netlifyApi: { address: string; token: string | undefined; siteId: string | undefined };
}

/** One thing that has to hold. */
export interface Check {
  /** What holds when nothing is wrong, as a sentence. */
  name: string;
  /** Returns what is wrong, null when nothing is. Throws Skipped, or any error, which is told as what is wrong. */
  run: (target: Target) => Promise<string | null> | string | null;
  /** What to do about it. */
  fix: string;
}

/** A check that could not be made, and why. It is no fault, and not told as one. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** A host that does not answer: no fault of the check that asked, but of the one that is about reaching it. */
class Unreachable extends Skipped {}

/** Makes a host that cannot be reached the fault that is told; elsewhere it only means that a check was not made. */
export async function tellUnreachable(look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Unreachable) return error.message;
    throw error;
  }
}

const timeoutMs = 10_000;

/** Asks over HTTP; redirects are not followed. Throws Skipped, saying which host did not answer. */
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
