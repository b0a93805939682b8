import type { RequestContext } from '#core/platform/http/http.ts';

/** What a feature adds to each run of the sweep: `netlify/features/NAME/sweep-step.ts`. */
export interface SweepStep {
  /** Its name in the log. */
  name: string;
  /** 'alerts' come before the run sends mail, 'last' after everything else. */
  stage: 'alerts' | 'last';
  /** Begins nothing after the deadline (ms since the epoch). Its result is logged with the run. */
  run: (
    ctx: Pick<RequestContext, 'request' | 'context'> & { deadline: number },
  ) => Promise<unknown>;
}
