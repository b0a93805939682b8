/* The parts of a parsed script that its names depend on. */

/** A node of the syntax tree (ESTree), of which each kind has some of these. */
export interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly computed?: boolean;
  readonly optional?: boolean;
  readonly regex?: { readonly pattern: string; readonly flags: string } | null;
  readonly [key: string]: unknown;
}

export interface Found {
  readonly node: Node;
  readonly parent: Node | null;
  /** An identifier that stands for a variable, not for the name of a member or key. */
  readonly isReference: boolean;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const keyParents = ['Property', 'PropertyDefinition', 'MethodDefinition'];

const isReference = (node: Node, parent: Node | null, key: string): boolean => {
  if (node.type !== 'Identifier') return false;
  if (key === 'property') return parent?.computed === true;
  if (key === 'key' && keyParents.includes(parent?.type ?? '')) return parent?.computed === true;
  return !['label', 'imported', 'exported'].includes(key);
};

/** A node and all under it. */
export function walk(value: unknown, parent: Node | null = null, key = ''): Found[] {
  const found: Found[] = [];
  const visit = (part: unknown, above: Node | null, name: string): void => {
    if (Array.isArray(part)) {
      for (const each of part) visit(each, above, name);
    } else if (isNode(part)) {
      found.push({ node: part, parent: above, isReference: isReference(part, above, name) });
      for (const [child, content] of Object.entries(part))
        if (typeof content === 'object') visit(content, part, child);
    }
  };
  visit(value, parent, key);
  return found;
}

/** The name of a variable or of a member. */
const lastName = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined;
  const { type, expression, property, name, computed } = value;
  if (type === 'ChainExpression' || type === 'ParenthesizedExpression') return lastName(expression);
  if (type === 'MemberExpression') return computed === true ? undefined : lastName(property);
  return type === 'Identifier' ? name : undefined;
};

/** A text that is written in place; a template's without its values. */
export const textOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  const quasis = (node['quasis'] ?? []) as readonly { value: { raw: string } }[];
  return typeof node.value === 'string'
    ? node.value
    : quasis.map(({ value }) => value.raw).join('');
};

const isComparison = ({ type, operator }: Node): boolean =>
  type === 'BinaryExpression' && ['==', '!=', '===', '!=='].includes(String(operator));

/** The expressions that a node only asks about: what is missing there is `undefined` and no error. */
function questions(node: Node): unknown[] {
  const { type, operator, left, right, test, argument, object, callee } = node;
  if (isComparison(node)) return [left, right];
  if (type === 'LogicalExpression') return [left, right];
  if (type === 'IfStatement' || type === 'ConditionalExpression') return [test];
  if (type === 'UnaryExpression' && ['typeof', '!'].includes(String(operator))) return [argument];
  if (node.optional === true) return [object ?? callee];
  return [];
}

const variablesIn = (pattern: unknown): string[] =>
  walk(pattern).flatMap(({ node, isReference: is }) => (is ? [node.name ?? ''] : []));

/**
 * The names of a script: `declared` variables, `defined` members (keys and methods), `assigned` ones, and those that it `asked`
 * for before it uses them.
 */
export function namesOf(nodes: readonly Found[]) {
  const declared = new Set<string>();
  const defined = new Set<string>();
  const assigned = new Set<string>();
  const asked = new Set<string>();
  for (const { node, parent } of nodes) {
    const { type, id, params, local, param, left, key, computed } = node;
    const patterns = [type === 'VariableDeclarator' || params ? id : null, params, local, param];
    if (type.startsWith('Class')) patterns.push(id);
    for (const name of patterns.flatMap(variablesIn)) declared.add(name);
    const isKey = keyParents.includes(type) && parent?.type !== 'ObjectPattern';
    if (isKey && computed !== true && isNode(key)) defined.add(String(key.name ?? key.value));
    if (isAssigned(left, node)) assigned.add(lastName(left) ?? '');
    if (type === 'BinaryExpression' && node['operator'] === 'in') asked.add(textOf(left));
    for (const question of questions(node)) asked.add(lastName(question) ?? '');
  }
  return { declared, defined, assigned, asked };
}

/** Whether a program fails without this member: it calls or constructs it, or reads a member of it. */
export const isNeeded = (node: Node, parent: Node | null): boolean => {
  if (parent === null || parent.optional === true) return false;
  const { type, callee, object } = parent;
  if (type === 'CallExpression' || type === 'NewExpression') return callee === node;
  return type === 'MemberExpression' && object === node;
};

export const isAssigned = (node: unknown, parent: Node | null): boolean =>
  parent?.type === 'AssignmentExpression' && parent['left'] === node;
