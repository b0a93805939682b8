import type { Rule } from 'eslint';

interface Literal {
  value?: unknown;
  literal?: { value?: unknown };
}

/** Visits what a file imports, types included, in every spelling; `lazy` is an `import()` in the course of the program. */
export function eachImport(visit: (node: Rule.Node, source: string, lazy: boolean) => void): Rule.RuleListener {
  const check = (node: Rule.Node, source: Literal | null | undefined, lazy = false) => {
    const text = source?.value ?? source?.literal?.value;
    if (typeof text === 'string') visit(node, text, lazy);
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
      check(node, node.source.type === 'Literal' ? node.source : null, true);
    },
    TSImportType: (node: Rule.Node & { argument?: Literal; source?: Literal }) => {
      check(node, node.source ?? node.argument);
    },
  };
}
