/* What a built script uses that a browser of the line lacks. */
import { parseSync } from 'vite';
import type { BrowserLine } from '#domain/browsers.ts';
import { api, css, javascript, lackedBy, members, releasesOf, type Member } from './mdn-data.ts';
import { findSelectorFaults } from './style-faults.ts';
import { isAssigned, isNeeded, namesOf, textOf, walk, type Node } from './script-nodes.ts';

const isRegExpCall = ({ type, callee }: Node): boolean =>
  ['NewExpression', 'CallExpression'].includes(type) && (callee as Node).name === 'RegExp';
const regExpText = (node: Node, at: 0 | 1): string =>
  isRegExpCall(node) ? textOf((node['arguments'] as Node[])[at]) : '';
const patternOf = (node: Node): string => node.regex?.pattern ?? regExpText(node, 0);
const flagsOf = (node: Node): string => node.regex?.flags ?? regExpText(node, 1);

const hasParentheses = ({ type }: Node): boolean =>
  ['ParenthesizedExpression', 'ArrowFunctionExpression', 'FunctionExpression'].includes(type);

/**
 * Syntax by its path in MDN's data, and how it is recognised in ESTree, whose names are others. `whole` stands for the part of a
 * feature that a browser with partial support lacks.
 */
const syntax: readonly (readonly [path: string, is: (node: Node) => boolean, whole?: true])[] = [
  ['classes.static.initialization_blocks', ({ type }) => type === 'StaticBlock'],
  [
    'classes.public_class_fields',
    // Safari 15 forgets the variables of an initializer with parentheses: webkit.org/b/236843.
    ({ type, value }) =>
      type === 'PropertyDefinition' && walk(value).some(({ node }) => hasParentheses(node)),
    true,
  ],
  ['regular_expressions.lookbehind_assertion', (node) => /\(\?<[=!]/u.test(patternOf(node))],
  ['regular_expressions.modifier', (node) => /\(\?[a-z-]+:/u.test(patternOf(node))],
  ['builtins.RegExp.unicodeSets', (node) => flagsOf(node).includes('v')],
  ['builtins.RegExp.hasIndices', (node) => flagsOf(node).includes('d')],
  ['statements.import.import_attributes', ({ attributes }) => [attributes ?? []].flat().length > 0],
  [
    'operators.import.options_parameter',
    ({ type, options }) => type.startsWith('Imp') && !!options,
  ],
  ['statements.import.defer', ({ phase }) => phase === 'defer'],
  ['statements.import.import_source', ({ phase }) => phase === 'source'],
  ['statements.using', ({ kind }) => kind === 'using'],
  ['statements.await_using', ({ kind }) => kind === 'await using'],
];

const selectorMethods = ['querySelector', 'querySelectorAll', 'matches', 'closest'];

/** The selectors that a call asks for; without those that a template puts together. */
function selectorsIn({ type, callee, arguments: given }: Node): string[] {
  const method =
    type === 'CallExpression' ? ((callee as Node)['property'] as Node | undefined) : null;
  const text = selectorMethods.includes(method?.name ?? '') ? textOf((given as Node[])[0]) : '';
  return text === '' ? [] : [text];
}

const partAt = (path: string): typeof javascript | undefined =>
  path.split('.').reduce<typeof javascript | undefined>((part, key) => part?.[key], javascript);

const titleOf = ({ owner, name }: Member): string => (name === '' ? owner : `${owner}.${name}`);

/** The members that the line lacks, under their keys; none under a key that another member has in every browser. */
function lackingBy(
  line: BrowserLine,
  keyOf: (member: Member) => string | undefined,
): Map<string, Member> {
  const found = new Map<string, Member>();
  const present = new Set<string>();
  for (const member of members) {
    const key = keyOf(member);
    if (key === undefined) continue;
    if (lackedBy(member.feature, line).length === 0) present.add(key);
    else if (!found.has(key)) found.set(key, member);
  }
  for (const key of present) found.delete(key);
  return found;
}

const camelCase = (property: string): string =>
  property.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
/** Members of every style, which MDN lists with the properties. */
const styleNames = new Set(Object.keys(css['properties'] ?? {}).map(camelCase));

/** Elements and the page, where a property that is set and does not exist changes what is seen. */
const isOfElement = ({ owner }: Member): boolean => /^(?:HTML|SVG|Element$|Document$)/u.test(owner);

/** The interface of `Promise`, of the page's own objects such as `navigator`, and of everything that is global. */
function ownerOf(object: unknown, declared: ReadonlySet<string>): string {
  const name = (object as Node).type === 'Identifier' ? ((object as Node).name ?? '') : '';
  if (name === '' || declared.has(name)) return '';
  if (['window', 'self', 'globalThis'].includes(name)) return 'Window';
  const interfaceName = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return interfaceName in api ? interfaceName : name;
}

function parseScript([path, code]: readonly [string, string]) {
  const { program, errors } = parseSync(path, code);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const nodes = walk(program);
  return { path, nodes, names: namesOf(nodes) };
}

/**
 * Finds the syntax and the interfaces in a site's scripts (path to text) that a browser of the line lacks, a sentence each. Names
 * decide, because built scripts have no types. A name is no fault when the scripts define it themselves, when the file asks for
 * it (`'x' in y`, `y.x?.()`, `if (y.x)`) or for a member that came with it, or when it is only read: it is `undefined` then.
 * @param others - Scripts of the site that are not looked at, and define names too.
 */
export function findScriptFaults(
  scripts: ReadonlyMap<string, string>,
  line: BrowserLine,
  others: ReadonlyMap<string, string> = new Map(),
): string[] {
  const globals = lackingBy(line, ({ owner, name }) =>
    name === '' ? owner : owner === 'Window' ? name : undefined,
  );
  const byName = lackingBy(line, ({ name }) => (styleNames.has(name) ? undefined : name));
  const byTitle = lackingBy(line, titleOf);
  const parsed = [...scripts].map(parseScript);
  const all = [...parsed, ...[...others].map(parseScript)];
  const defined = new Set(all.flatMap(({ names }) => [...names.defined]));
  const assigned = new Set(all.flatMap(({ names }) => [...names.assigned]));
  const faults = new Set<string>();
  for (const { path, nodes, names } of parsed) {
    const { asked, declared } = names;
    const report = (title: string, browsers: readonly string[]) =>
      faults.add(`${path}: ${title} is missing in ${browsers.join(', ')}`);
    const askedMembers = members.filter(({ name }) => name !== '' && asked.has(name));
    const isAsked = (member: Member): boolean =>
      asked.has(member.name === '' ? member.owner : member.name) ||
      askedMembers.some(
        (each) => each.owner === member.owner && releasesOf(each) === releasesOf(member),
      );
    const reportMember = (member: Member | undefined): void => {
      if (member && !isAsked(member)) report(titleOf(member), lackedBy(member.feature, line));
    };
    for (const { node, parent, isReference } of nodes) {
      for (const [feature, is, whole] of syntax) {
        const browsers = is(node) ? lackedBy(partAt(feature), line, whole) : [];
        if (browsers.length > 0) report(feature, browsers);
      }
      for (const selector of selectorsIn(node))
        for (const [title, browsers] of findSelectorFaults(selector, line)) report(title, browsers);
      if (isReference && !declared.has(node.name ?? '')) reportMember(globals.get(node.name ?? ''));
      if (node.type !== 'MemberExpression' || node.computed === true) continue;
      const { object, property } = node;
      const { name = '' } = property as Node;
      const owner = ownerOf(object, declared);
      const owned = byTitle.get(`${owner}.${name}`);
      const member = defined.has(name) ? undefined : byName.get(name);
      if (owned && owned.owner === (object as Node).name) reportMember(owned);
      else if (isNeeded(node, parent))
        reportMember(owned ?? (assigned.has(name) ? undefined : member));
      else if (isAssigned(node, parent) && member && isOfElement(member)) reportMember(member);
    }
  }
  return [...faults].sort();
}
