import type { CreateRule, ESTree } from '@oxlint/plugins';
import { projectPath } from './project-path.ts';

const processReaders =
  /^(?:netlify\/core\/platform\/env\.ts$|local\/|tests\/|[^/]+\.config\.[cm]?[jt]s$)/u;
const metaReaders = /^(?:src\/services\/environment\.ts$|tests\/)/u;

const keyName = (key: ESTree.Node, computed: boolean): string | null => {
  if (key.type === 'Identifier' && !computed) return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null;
};
const memberName = (node: ESTree.MemberExpression) => keyName(node.property, node.computed);
const takesEnv = (pattern: ESTree.Node): boolean =>
  pattern.type === 'ObjectPattern' &&
  pattern.properties.some(
    (each) => each.type === 'Property' && keyName(each.key, each.computed) === 'env',
  );
/** `process`, `globalThis.process`, and the same on other runtimes. */
const isRuntime = (node: ESTree.Node): boolean => {
  const name =
    node.type === 'MemberExpression'
      ? memberName(node)
      : node.type === 'Identifier'
        ? node.name
        : null;
  return name !== null && ['process', 'Netlify', 'Deno'].includes(name);
};

/** The environment is read in two files, so that what the shop needs of it is known in one place each. */
export const environmentRule: CreateRule = {
  meta: {
    type: 'problem',
    messages: {
      process:
        'Only netlify/core/platform/env.ts reads the environment of functions. Add the variable to its schema.',
      meta: 'Only src/services/environment.ts reads import.meta.env. Add the variable to its schema.',
    },
    schema: [],
  },
  create(context) {
    const file = projectPath(context.filename);
    const refuse = (node: ESTree.Node, messageId: 'process' | 'meta') => {
      const allowed = messageId === 'process' ? processReaders : metaReaders;
      if (!allowed.test(file)) context.report({ node, messageId });
    };
    return {
      MemberExpression: (node) => {
        if (memberName(node) === 'env' && isRuntime(node.object)) refuse(node, 'process');
      },
      VariableDeclarator: (node) => {
        if (node.init && isRuntime(node.init) && takesEnv(node.id)) refuse(node, 'process');
      },
      ImportDeclaration: (node) => {
        if (!/^(?:node:)?process$/u.test(node.source.value)) return;
        const named = node.specifiers.some(
          (each) => each.type === 'ImportSpecifier' && keyName(each.imported, false) === 'env',
        );
        if (named) refuse(node, 'process');
      },
      // `import.meta` with a property other than `env` is fine; alone it could be taken apart anywhere.
      MetaProperty: (node) => {
        if (node.meta.name !== 'import') return;
        const { parent } = node;
        const name = parent.type === 'MemberExpression' ? memberName(parent) : null;
        if (name === null || name === 'env') refuse(node, 'meta');
      },
    };
  },
};
