/*
 * What Netlify charges, as of 14 April 2026; read on 28 November 2026 at
 * docs.netlify.com/manage/accounts-and-billing/billing/billing-for-credit-based-plans/how-credits-work (deploys, bandwidth,
 * requests; previews and forms cost nothing) and docs.netlify.com/build/functions/usage-and-billing (10 credits per GB-hour
 * of run time, functions of 1 GB).
 */
const rates = { deploy: 15, gigabyte: 20, gigabyteHour: 10, request: 2 / 10_000 };

/** What something uses of Netlify. */
export interface Use {
  /** Run time of functions. */
  seconds?: number;
  /** Page views, assets, calls of functions, and what functions and edge functions fetch from the site. */
  requests?: number;
  bytes?: number;
  deploys?: number;
}

/** The credits of so many times a use. */
export const creditsOf = (
  { seconds = 0, requests = 0, bytes = 0, deploys = 0 }: Use,
  times = 1,
): number =>
  times *
  ((seconds / 3_600) * rates.gigabyteHour +
    requests * rates.request +
    (bytes / 1e9) * rates.gigabyte +
    deploys * rates.deploy);

/** Several uses together. */
export function sum(uses: readonly Use[]): Required<Use> {
  const total = { seconds: 0, requests: 0, bytes: 0, deploys: 0 };
  for (const use of uses)
    for (const key of ['seconds', 'requests', 'bytes', 'deploys'] as const)
      total[key] += use[key] ?? 0;
  return total;
}

/** Where the functions run, and seconds of a round trip from there to the database and to Razorpay. */
export const places = [
  { name: 'beside the database', roundTrip: 0.02 },
  { name: 'from Ohio', roundTrip: 0.25 },
] as const;

/** Round trips of a new process until its first request leaves: TCP and TLS. */
export const connectionTrips = 2;

/** Times in 30 days of what happens each five minutes. */
export const everyFiveMinutes = (30 * 24 * 60) / 5;
