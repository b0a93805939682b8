import { attributeOf, factsOf, type AttributeKey, type Attributes } from './attributes.ts';

const materials = (['metal', 'plating', 'stone', 'weight_g'] satisfies AttributeKey[]).map(
  (key) => {
    const { label, term = label } = attributeOf(key);
    return term;
  },
);

/**
 * What a product is made of in one line, such as 'Gold-plated brass · Green glass · 8.6 g', from the facts that the admin entered.
 * Empty without any.
 */
export const materialLine = (attributes: Attributes): string =>
  factsOf(attributes)
    .filter(([term]) => materials.includes(term))
    .map(([, text]) => text)
    // No line begins with a dot.
    .join('\u00A0· ');
