import type { CreateRule, ESTree } from '@oxlint/plugins';
import { projectPath } from './project-path.ts';

/** Words of a name in camelCase, and what CONTRIBUTING (Writing, 7) has in their place. */
const words: ReadonlyMap<string, string> = new Map([
  ...['shopper', 'shoppers'].map((word) => [word, 'customer'] as const),
  ...['least', 'smallest', 'shortest'].map((word) => [word, 'min…'] as const),
  ...['most', 'largest', 'longest'].map((word) => [word, 'max…'] as const),
  ['patience', 'timeLimit…'],
]);

/** The place of the first word of a name that has another one in its place. */
function betterWord(name: string): string | undefined {
  // Columns and functions of SQL are written like this, and released ones keep their names.
  if (name.includes('_')) return undefined;
  return name
    .split(/(?=[A-Z])/u)
    .map((word) => words.get(word.toLowerCase()))
    .find((word) => word !== undefined);
}

/** The name of the function that a `return` ends; null for one without a name. */
function functionAround(node: ESTree.Node): string | null {
  for (let at = node.parent; at; at = at.parent) {
    if (at.type === 'FunctionDeclaration') return at.id?.name ?? null;
    if (at.type !== 'FunctionExpression' && at.type !== 'ArrowFunctionExpression') continue;
    const { parent } = at;
    return parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
      ? parent.id.name
      : null;
  }
  return null;
}

/** One word for one thing, in the names of the shop's code. */
export const namesRule: CreateRule = {
  meta: {
    type: 'problem',
    messages: {
      word: "'{{name}}': write {{better}} (CONTRIBUTING, Writing, 7).",
      create: "'{{name}}' returns a new object: write create… (CONTRIBUTING, Writing, 7).",
    },
    schema: [],
  },
  create(context) {
    const path = projectPath(context.filename);
    if (!/^(?:src|netlify|local)\//u.test(path) || path.endsWith('.test.ts')) return {};
    const checkConstructor = (node: ESTree.Node, name: string | null) => {
      if (name !== null && /^(?:open|make)[A-Z]/u.test(name))
        context.report({ node, messageId: 'create', data: { name } });
    };
    return {
      Identifier: (node) => {
        const better = betterWord(node.name);
        if (better !== undefined)
          context.report({ node, messageId: 'word', data: { name: node.name, better } });
      },
      ReturnStatement: (node) => {
        if (node.argument?.type === 'ObjectExpression')
          checkConstructor(node, functionAround(node));
      },
      ArrowFunctionExpression: (node) => {
        if (node.body.type === 'ObjectExpression')
          checkConstructor(node, functionAround(node.body));
      },
    };
  },
};
