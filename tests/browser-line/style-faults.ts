/* What a built style sheet uses that a browser of the line lacks. */
import { generate, parse, walk, type Block, type CssNode, type Rule } from 'css-tree';
import type { BrowserLine } from '#domain/browsers.ts';
import { css, lackedBy } from './mdn-data.ts';

const { 'at-rules': atRules, selectors, types } = css;

/** MDN has a unit under its name, or several under one, which its description lists. */
const units = new Map(
  Object.entries((types?.['length'] ?? {}) as Record<string, typeof css>).flatMap(
    ([key, feature]) =>
      [key, ...(feature.__compat?.description?.match(/(?<=<code>)\w+/gu) ?? [])].map(
        (unit) => [unit, feature] as const,
      ),
  ),
);

/** A rule for one pseudo-element alone styles nothing where there is no such element, and takes no other rule with it. */
const isAlone = (rule: Rule | null): boolean =>
  rule?.prelude.type === 'SelectorList' && rule.prelude.children.size === 1;

/** Browsers ask before they read `@supports`, and skip what they do not know in these lists of selectors. */
const isSkipped = (node: CssNode): boolean =>
  (node.type === 'Atrule' && node.name === 'supports') ||
  (node.type === 'PseudoClassSelector' && ['is', 'where'].includes(node.name));

/** A part that browsers read wholly or not at all. */
function partOf(node: CssNode, rule: Rule | null) {
  if (rule !== null && rule !== node && (node.type === 'Rule' || node.type === 'Atrule'))
    return ['nesting', selectors?.['nesting']] as const;
  if (node.type === 'Atrule') return [`@${node.name}`, atRules?.[node.name]] as const;
  // `not` without a type of media came with `or`.
  if (node.type === 'Condition' && /\b(?:not|or)\b/u.test(generate(node)))
    return [`media ${generate(node)}`, atRules?.['media']?.['or_syntax']] as const;
  if (node.type === 'FeatureRange')
    return [`range ${generate(node)}`, atRules?.['media']?.['range_syntax']] as const;
  if (node.type === 'Feature') {
    const name = node.name.replace(/^(?:min|max)-/u, '');
    return [`media ${name}`, atRules?.['media']?.[name]] as const;
  }
  if (node.type === 'PseudoElementSelector')
    return isAlone(rule) ? null : ([`::${node.name}`, selectors?.[node.name]] as const);
  if (node.type === 'Nth' && node.selector)
    return [':nth-child(… of …)', selectors?.['nth-child']?.['of_syntax']] as const;
  if (node.type === 'PseudoClassSelector')
    return [`:${node.name}`, selectors?.[node.name]] as const;
  return null;
}

/** The units and functions of a value: without one of them the whole declaration is skipped. */
function partsOfValue(value: CssNode) {
  const parts: (readonly [title: string, feature: typeof css | undefined])[] = [];
  walk(value, (node) => {
    if (node.type === 'Dimension') parts.push([node.unit, units.get(node.unit)]);
    if (node.type === 'Function')
      parts.push([`${node.name}()`, types?.[node.name] ?? types?.['color']?.[node.name]]);
  });
  return parts;
}

/** The lacking parts of a block's values; none where the same property stands before it, for these browsers. */
function findValueFaults({ children }: Block, line: BrowserLine): [string, string[]][] {
  const before = new Set<string>();
  const faults: [string, string[]][] = [];
  for (const node of children) {
    if (node.type !== 'Declaration' || node.property.startsWith('--')) continue;
    for (const [title, feature] of before.has(node.property) ? [] : partsOfValue(node.value)) {
      const browsers = lackedBy(feature, line);
      if (browsers.length > 0) faults.push([`${node.property} in ${title}`, browsers]);
    }
    before.add(node.property);
  }
  return faults;
}

/** The selectors that a script asks for and that a browser of the line lacks: they are an error there. */
export function findSelectorFaults(selector: string, line: BrowserLine): [string, string[]][] {
  const faults: [string, string[]][] = [];
  walk(parse(selector, { context: 'selectorList' }), (node) => {
    const part = partOf(node, null);
    const browsers = part ? lackedBy(part[1], line) : [];
    if (part && browsers.length > 0) faults.push([`the selector ${part[0]}`, browsers]);
  });
  return faults;
}

/**
 * Finds the at-rules, media queries, selectors, units and functions in style sheets (path to text) that a browser of the line lacks, a
 * sentence each. No fault is what stands behind `@supports`, a value after another one for the same property, and a property that a
 * browser does not know: pages are laid out without those.
 */
export function findStyleFaults(styles: ReadonlyMap<string, string>, line: BrowserLine): string[] {
  const faults = new Map<string, string>();
  for (const text of styles.values()) {
    let skipped = 0;
    let rule: Rule | null = null;
    const enter = (node: CssNode): void => {
      if (isSkipped(node)) skipped += 1;
      if (skipped > 0) return;
      if (node.type === 'Raw' && (rule === null || rule.prelude === node))
        faults.set(node.value, `${node.value.slice(0, 80)} cannot be read`);
      const part = partOf(node, rule);
      const browsers = part ? lackedBy(part[1], line) : [];
      if (node.type === 'Rule') rule = node;
      const where = rule ? ` (${generate(rule.prelude)})` : '';
      const found = node.type === 'Block' ? findValueFaults(node, line) : [];
      if (part && browsers.length > 0) found.push([part[0], browsers]);
      for (const [title, missing] of found)
        faults.set(`${title}${where}`, `${title}${where} is missing in ${missing.join(', ')}`);
    };
    const leave = (node: CssNode): void => {
      if (node.type === 'Rule') rule = null;
      if (isSkipped(node)) skipped -= 1;
    };
    walk(parse(text), { enter, leave });
  }
  return [...faults.values()].sort();
}
