import type { CreateRule } from '@oxlint/plugins';

/** An object literal that is spread into another one overrides nothing, and a reader stops to see whether it does. */
export const spreadRule: CreateRule = {
  meta: {
    type: 'problem',
    messages: { spread: 'Write these properties into the object itself, without `...{ }`.' },
    schema: [],
  },
  create(context) {
    return {
      ObjectExpression(node) {
        for (const property of node.properties)
          if (property.type === 'SpreadElement' && property.argument.type === 'ObjectExpression')
            context.report({ node: property, messageId: 'spread' });
      },
    };
  },
};
