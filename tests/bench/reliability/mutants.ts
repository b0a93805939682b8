import ts from 'typescript';

/** One change of a source file. */
export interface Mutant {
  file: string;
  line: number;
  /** The text before, and the text after. */
  from: string;
  to: string;
  /** The whole file with the change. */
  text: string;
}

type Replace = (start: number, end: number, to: string) => void;

const operators: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
};

/** The changes of one node of TypeScript: operators, conditions, numbers, truth values, filters of a query, calls. */
function changeNode(node: ts.Node, source: ts.SourceFile, replace: Replace): void {
  const [start, end] = [node.getStart(source), node.getEnd()];
  if (ts.isBinaryExpression(node)) {
    for (const to of operators[node.operatorToken.getText(source)] ?? [])
      replace(node.operatorToken.getStart(source), node.operatorToken.getEnd(), to);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    replace(start, end, node.operand.getText(source));
  } else if (ts.isNumericLiteral(node)) {
    replace(start, end, String(Number(node.text.replaceAll('_', '')) + 1));
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    replace(start, end, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true');
  } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    for (const to of ['true', 'false']) replace(condition.getStart(source), condition.getEnd(), to);
  } else if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'eq'
  ) {
    replace(start, end, node.expression.expression.getText(source));
  } else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
    replace(start, end, '');
  }
}

const sqlChanges: readonly (readonly [
  pattern: RegExp,
  to: string | ((found: string) => string),
])[] = [
  [/ <> /gu, ' = '],
  [/(?<!set \w+) = /gu, ' <> '],
  [/is distinct from/gu, 'is not distinct from'],
  [/is not null/gu, 'is null'],
  [/is null/gu, 'is not null'],
  [/ and /gu, ' or '],
  [/ or /gu, ' and '],
  [/ \+ /gu, ' - '],
  [/ \* /gu, ' + '],
  [/ \/ /gu, ' * '],
  [/ <= /gu, ' > '],
  [/ < /gu, ' >= '],
  [/not between/gu, 'between'],
  [/(?<=[ (])\d+(?=[ );])/gu, (found) => String(Number(found) + 1)],
];

/** Changes the file on the lines that match, one thing at a time. */
export function mutantsOf(file: string, text: string, lines: RegExp): Mutant[] {
  const mutants: Mutant[] = [];
  const starts = text
    .split('\n')
    .reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0]);
  const replace: Replace = (start, end, to) => {
    const line = starts.findLastIndex((begin) => begin <= start);
    const content = text.slice(starts[line], (starts[line + 1] ?? text.length) - 1);
    if (!lines.test(content) || /^\s*(?:--|\/\/|\*)/u.test(content)) return;
    mutants.push({
      file,
      line: line + 1,
      from: text.slice(start, end).replaceAll(/\s+/gu, ' '),
      to,
      text: text.slice(0, start) + to + text.slice(end),
    });
  };
  if (file.endsWith('.sql')) {
    for (const [pattern, to] of sqlChanges) {
      for (const found of text.matchAll(pattern))
        replace(
          found.index,
          found.index + found[0].length,
          typeof to === 'string' ? to : to(found[0]),
        );
    }
    return mutants;
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    changeNode(node, source, replace);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}
