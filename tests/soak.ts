/** How often: `short` in every run of the tests, `long` under `npm run bench:soak`. */
export const times = (short: number, long: number): number => (import.meta.env.MODE === 'soak' ? long : short);
