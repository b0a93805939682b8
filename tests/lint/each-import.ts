import type { ESTree, Visitor } from '@oxlint/plugins';

/** Visits what a file imports, types included, in every spelling; `lazy` is an `import()` in the course of the program. */
export function eachImport(
  visit: (node: ESTree.Node, source: string, lazy: boolean) => void,
): Visitor {
  const check = (node: ESTree.Node, source: ESTree.Expression | null, lazy = false) => {
    if (source?.type === 'Literal' && typeof source.value === 'string')
      visit(node, source.value, lazy);
  };
  return {
    ImportDeclaration: (node) => {
      check(node, node.source);
    },
    ExportAllDeclaration: (node) => {
      check(node, node.source);
    },
    ExportNamedDeclaration: (node) => {
      check(node, node.source);
    },
    ImportExpression: (node) => {
      check(node, node.source, true);
    },
    TSImportType: (node) => {
      check(node, node.source);
    },
  };
}
