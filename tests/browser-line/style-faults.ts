/* What a built style sheet uses that a browser of the line lacks. */
import { generate, parse, walk, type CssNode, type Rule } from 'css-tree';
import type { BrowserLine } from '../../src/domain/browsers.ts';
import { css, lackedBy } from './mdn-data.ts';

const { 'at-rules': atRules, selectors } = css;

/** A rule for one pseudo-element alone styles nothing where there is no such element, and takes no other rule with it. */
const isAlone = (rule: Rule | null): boolean =>
  rule?.prelude.type === 'SelectorList' && rule.prelude.children.size === 1;

/** Browsers ask before they read `@supports`, and skip what they do not know in these lists of selectors. */
const isSkipped = (node: CssNode): boolean =>
  (node.type === 'Atrule' && node.name === 'supports') ||
  (node.type === 'PseudoClassSelector' && ['is', 'where'].includes(node.name));

/** A part that browsers read wholly or not at all. */
function partOf(node: CssNode, rule: Rule | null) {
  if (node.type === 'Atrule') return [`@${node.name}`, atRules?.[node.name]] as const;
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

/**
 * Finds the at-rules, media queries and selectors in style sheets (path to text) that a browser of the line lacks, a sentence each:
 * it skips the whole rule then. No fault is what stands behind `@supports`, and a property, which a browser skips alone.
 */
export function findStyleFaults(styles: ReadonlyMap<string, string>, line: BrowserLine): string[] {
  const faults = new Map<string, string>();
  for (const text of styles.values()) {
    let skipped = 0;
    let rule: Rule | null = null;
    const enter = (node: CssNode): void => {
      if (node.type === 'Rule') rule = node;
      if (isSkipped(node)) skipped += 1;
      if (skipped > 0) return;
      if (node.type === 'Raw' && (rule === null || rule.prelude === node))
        faults.set(node.value, `${node.value.slice(0, 80)} cannot be read`);
      const part = partOf(node, rule);
      const browsers = part ? lackedBy(part[1], line) : [];
      const where = rule ? ` (${generate(rule.prelude)})` : '';
      if (part && browsers.length > 0)
        faults.set(`${part[0]}${where}`, `${part[0]}${where} is missing in ${browsers.join(', ')}`);
    };
    const leave = (node: CssNode): void => {
      if (node.type === 'Rule') rule = null;
      if (isSkipped(node)) skipped -= 1;
    };
    walk(parse(text), { enter, leave });
  }
  return [...faults.values()].sort();
}
