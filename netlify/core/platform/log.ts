/** One line of JSON on standard output. Facts are ids, codes and figures: no names, addresses, tokens or bodies. */
export function logLine(facts: Readonly<Record<string, string | number | boolean | null>>): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), ...facts }));
}
