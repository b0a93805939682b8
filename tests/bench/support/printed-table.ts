/** A row of a Markdown table. */
export const row = (...cells: readonly (string | number)[]): void => {
  console.log(`| ${cells.join(' | ')} |`);
};

/** The first row of a Markdown table. */
export const head = (...cells: readonly string[]): void => {
  row(...cells);
  row(...cells.map(() => '---'));
};

export const fixed = (value: number, digits = 1): string => value.toFixed(digits);
