import { factsOf, type Attributes } from './attributes.ts';

/**
 * What a product is made of in one line, such as 'Gold-plated brass · Green glass · 8.6 g', from the facts that the admin entered.
 * The plating stands in it where the metal does not name one. Empty without any.
 */
export function materialLine({ metal, plating, stone, weight_g: weight }: Attributes): string {
  const isNamed = metal !== undefined && /plated/iu.test(metal);
  return (
    factsOf({
      ...(metal !== undefined && { metal }),
      ...(plating !== undefined && !isNamed && { plating }),
      ...(stone !== undefined && { stone }),
      ...(weight !== undefined && { weight_g: weight }),
    })
      .map(([, text]) => text)
      // No line begins with a dot.
      .join('\u00A0· ')
  );
}
