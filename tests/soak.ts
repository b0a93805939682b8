/** How often: `short` in every run of the tests, `long` under `npm run bench:soak`. */
export const times = <Size = number>(short: Size, long: Size): Size =>
  import.meta.env.MODE === 'soak' ? long : short;
