import type { CreateRule, ESTree } from '@oxlint/plugins';

const cuts = new Set(['slice', 'substring', 'substr', 'split']);
const timestamps = new Set(['toISOString', 'toJSON']);
/** Methods whose answer depends on the device's time zone. */
const localMethods = new Set([
  'getFullYear',
  'getMonth',
  'getDate',
  'getDay',
  'getHours',
  'toDateString',
  'toLocaleDateString',
  'toLocaleTimeString',
]);

const nameOf = (node: ESTree.Node): string | null => {
  if (node.type === 'MemberExpression' && !node.computed) return nameOf(node.property);
  return node.type === 'Identifier' ? node.name : null;
};
const isTimestamp = (node: ESTree.Node): boolean => {
  if (node.type === 'ChainExpression') return isTimestamp(node.expression);
  if (node.type === 'CallExpression') return timestamps.has(nameOf(node.callee) ?? '');
  return /(?:[a-z]At|_at|[tT]imestamp)$/u.test(nameOf(node) ?? '');
};
/** The numbers of `.slice(0, 10)`, `.slice(0, 7)` and `.slice(0, 4)`, or the letter of `.split('T')`. */
const cutsDay = ([first, second]: readonly ESTree.Node[]): boolean =>
  first?.type === 'Literal' &&
  (first.value === 'T' ||
    (first.value === 0 &&
      second?.type === 'Literal' &&
      [4, 7, 10, 16, 19].includes(Number(second.value))));

/** A day that a person reads is India's. One file takes days out of timestamps. */
export const daysRule: CreateRule = {
  meta: {
    type: 'problem',
    messages: {
      days: "This day is UTC's. Use isoDateInIndia for a moment, and isoDay for a day of the calendar.",
    },
    schema: [],
  },
  create(context) {
    return {
      CallExpression(node) {
        if (node.callee.type !== 'MemberExpression') return;
        const method = nameOf(node.callee);
        if (method === null) return;
        const cut = cuts.has(method) && isTimestamp(node.callee.object) && cutsDay(node.arguments);
        if (cut || localMethods.has(method)) context.report({ node, messageId: 'days' });
      },
    };
  },
};
